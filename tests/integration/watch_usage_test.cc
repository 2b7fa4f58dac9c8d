// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "server/api_listener.h"
#include "server/watcher_set.h"
#include "tests/integration/api_fixture.h"
#include "tests/support/temp_dir.h"

// UsageService.WatchUsage.
namespace fairsched::server {
namespace {

// One reader of the stream.
class Reader {
 public:
  Reader(v1::UsageService::Stub& stub, const v1::WatchUsageRequest& request)
      : stream_(stub.WatchUsage(&context_, request)) {}
  ~Reader() {
    context_.TryCancel();
    stream_.reset();
  }
  bool Read(v1::WatchUsageResponse& response) {
    return stream_->Read(&response);
  }
  grpc::Status Finish() { return stream_->Finish(); }
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchUsageResponse>> stream_;
};

class WatchUsageTest : public ApiFixture {
 protected:
  std::unique_ptr<Reader> Watch(const v1::WatchUsageRequest& request) {
    return std::make_unique<Reader>(*usage_, request);
  }
  // One watcher that has got its first message.
  std::unique_ptr<Reader> WatchFast(bool windows = false) {
    v1::WatchUsageRequest request;
    request.mutable_interval()->set_nanos(100'000'000);
    request.set_windows(windows);
    std::unique_ptr<Reader> reader = Watch(request);
    v1::WatchUsageResponse response;
    EXPECT_TRUE(reader->Read(response));
    return reader;
  }
};

TEST_F(WatchUsageTest, TheFirstMessageComesAtOnceWithNodeAndAllUsers) {
  MustCreate("alice", 1001);
  node_.Set("uid-1002", {.cpus = 1});
  Tick(3);
  v1::WatchUsageRequest request;
  request.mutable_interval()->set_seconds(60);
  const std::unique_ptr<Reader> reader = Watch(request);
  v1::WatchUsageResponse response;
  ASSERT_TRUE(reader->Read(response));
  EXPECT_NEAR(response.node().capacity_cpus(), 2, 1e-6);
  ASSERT_EQ(response.users_size(), 2);
  EXPECT_EQ(response.users(0).user(), "users/alice");
  EXPECT_EQ(response.users(1).user(), "users/uid-1002");
  EXPECT_EQ(response.missed_count(), 0);
}

TEST_F(WatchUsageTest, EveryIntervalAMessageShowsTheLastTick) {
  node_.Set("uid-1001", {.cpus = 1});
  Tick();
  const std::unique_ptr<Reader> reader = WatchFast();
  Tick(5);
  const auto ticked = loop_.Latest()->time;
  v1::WatchUsageResponse response;
  do {
    ASSERT_TRUE(reader->Read(response));
  } while (response.sample_time().seconds() != absl::ToUnixSeconds(ticked));
}

TEST_F(WatchUsageTest, WindowsAreSentOnceEachAndOnlyIfAskedFor) {
  node_.Set("uid-1001", {.cpus = 0.5});
  Tick(50);
  const std::unique_ptr<Reader> with = WatchFast(/*windows=*/true);
  const std::unique_ptr<Reader> without = WatchFast(/*windows=*/false);
  const uint64_t before = loop_.Latest()->windows->back().number;
  Tick(45);
  const uint64_t after = loop_.Latest()->windows->back().number;
  ASSERT_GE(after, before + 2);

  std::vector<uint64_t> got;
  v1::WatchUsageResponse response;
  while (got.empty() || got.back() < after) {
    ASSERT_TRUE(with->Read(response));
    for (const auto& window : response.windows()) {
      got.push_back(static_cast<uint64_t>(window.number()));
    }
  }
  std::vector<uint64_t> want;
  for (uint64_t n = before + 1; n <= after; ++n) want.push_back(n);
  EXPECT_EQ(got, want);
  ASSERT_TRUE(without->Read(response));
  EXPECT_EQ(response.windows_size(), 0);
}

TEST_F(WatchUsageTest, ASlowReaderMissesMessagesAndIsTold) {
  const std::unique_ptr<Reader> slow = WatchFast();
  const std::unique_ptr<Reader> fast = WatchFast();
  v1::WatchUsageResponse response;
  // Meanwhile the slow one's messages are due, and it takes none.
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(fast->Read(response));
  int64_t missed = 0;
  for (int i = 0; i < 4 && missed == 0; ++i) {
    ASSERT_TRUE(slow->Read(response));
    missed = response.missed_count();
  }
  EXPECT_GT(missed, 0);
}

TEST_F(WatchUsageTest, AnIntervalOutOfRangeIsRefused) {
  struct Case {
    int64_t seconds;
    int32_t nanos;
  };
  for (const Case& bad :
       {Case{0, 99'000'000}, Case{61, 0}, Case{1, -1}, Case{INT64_MIN, 0}}) {
    v1::WatchUsageRequest request;
    request.mutable_interval()->set_seconds(bad.seconds);
    request.mutable_interval()->set_nanos(bad.nanos);
    v1::WatchUsageResponse response;
    const std::unique_ptr<Reader> reader = Watch(request);
    EXPECT_FALSE(reader->Read(response));
    EXPECT_EQ(FailureOf(reader->Finish()), BadField("interval"));
  }
  EXPECT_EQ(api_->watchers(), 0u);
}

TEST_F(WatchUsageTest, OneWatcherTooManyIsRefused) {
  std::vector<std::unique_ptr<Reader>> readers;
  for (size_t i = 0; i < WatcherSet::kMaxWatchers; ++i) {
    readers.push_back(WatchFast());
  }
  EXPECT_EQ(api_->watchers(), WatcherSet::kMaxWatchers);
  v1::WatchUsageResponse response;
  const std::unique_ptr<Reader> reader = Watch({});
  EXPECT_FALSE(reader->Read(response));
  EXPECT_EQ(
      FailureOf(reader->Finish()),
      (Failure{grpc::StatusCode::RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS", ""}));
}

TEST_F(WatchUsageTest, AWatcherThatCancelsMakesRoom) {
  std::unique_ptr<Reader> reader = WatchFast();
  ASSERT_EQ(api_->watchers(), 1u);
  reader->Cancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  // The server hears of it a little later.
  while (api_->watchers() > 0) std::this_thread::yield();
}

TEST_F(WatchUsageTest, TenWatchersOnASocketDoNotHoldUpAStopAndAreToldOfIt) {
  const testing::TempDir dir;
  auto listener = ApiListener::Start(
      {.path = dir / "api.sock"}, [this](int fd) { api_->AddConnection(fd); });
  ASSERT_TRUE(listener.ok()) << listener.status();
  const auto stub = v1::UsageService::NewStub(grpc::CreateChannel(
      "unix:" + (dir / "api.sock"), grpc::InsecureChannelCredentials()));
  std::vector<std::unique_ptr<Reader>> readers;
  v1::WatchUsageRequest request;
  request.mutable_interval()->set_seconds(60);
  v1::WatchUsageResponse response;
  for (int i = 0; i < 10; ++i) {
    readers.push_back(std::make_unique<Reader>(*stub, request));
    ASSERT_TRUE(readers.back()->Read(response));
  }

  const absl::Time start = absl::Now();
  (*listener)->Stop();
  api_->Stop();
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
  for (const std::unique_ptr<Reader>& reader : readers) {
    EXPECT_FALSE(reader->Read(response));
    EXPECT_EQ(FailureOf(reader->Finish()),
              (Failure{grpc::StatusCode::UNAVAILABLE, "STOPPING", ""}));
  }
}

TEST_F(WatchUsageTest, AReaderThatTakesNothingDoesNotHoldUpAStop) {
  const std::unique_ptr<Reader> slow = WatchFast();
  const std::unique_ptr<Reader> fast = WatchFast();
  v1::WatchUsageResponse response;
  // Until a message for the slow one is on its way.
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(fast->Read(response));
  const absl::Time start = absl::Now();
  api_->Stop();
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
  while (slow->Read(response)) {
  }
  EXPECT_EQ(slow->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace fairsched::server
