// SPDX-License-Identifier: Apache-2.0
#include "server/api_listener.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "agent/runtime/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_dir.h"

namespace fairsched::server {
namespace {

using ::testing::HasSubstr;

class ApiListenerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ApiListener>> Start(size_t most = 256) {
    return ApiListener::Start({.path = path_, .max_connections = most},
                              [this](int fd) {
                                runtime::MutexLock lock(mutex_);
                                given_.emplace_back(fd);
                              });
  }
  UniqueFd Connect() {
    UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    const int connected = connect(
        fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    return connected == 0 ? std::move(fd) : UniqueFd();
  }
  size_t Given() {
    runtime::MutexLock lock(mutex_);
    return given_.size();
  }
  void WaitForGiven(size_t count) {
    while (Given() < count) std::this_thread::yield();
  }
  // Whether the other side has closed it; waits for an end or a byte.
  static bool IsClosed(const UniqueFd& fd) {
    char byte = 0;
    return recv(fd.get(), &byte, 1, 0) == 0;
  }
  bool HasFile() const {
    struct stat file = {};
    return lstat(path_.c_str(), &file) == 0;
  }

  testing::TempDir dir_;
  std::string path_ = dir_ / "api.sock";
  runtime::Mutex mutex_;
  std::vector<UniqueFd> given_ ABSL_GUARDED_BY(mutex_);
};

TEST_F(ApiListenerTest, ConnectionsAreGivenAwayNonBlockingAndCloseOnExec) {
  const auto listener = Start();
  ASSERT_TRUE(listener.ok()) << listener.status();
  const UniqueFd peer = Connect();
  WaitForGiven(1);
  runtime::MutexLock lock(mutex_);
  EXPECT_NE(fcntl(given_[0].get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(fcntl(given_[0].get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(ApiListenerTest, OnlyTheOwnerMayUseTheSocket) {
  const auto listener = Start();
  struct stat file = {};
  ASSERT_EQ(lstat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 07777u, 0600u);
}

TEST_F(ApiListenerTest, AStopTakesTheFileAwayAndComesBackAtOnce) {
  const auto listener = Start();
  ASSERT_TRUE(HasFile());
  (*listener)->Stop();
  EXPECT_FALSE(HasFile());
  (*listener)->Stop();
}

TEST_F(ApiListenerTest, AStaleSocketIsReplaced) {
  {
    // Like that of a daemon that was killed: bound, and nobody listens.
    const UniqueFd dead(socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    ASSERT_EQ(bind(dead.get(), reinterpret_cast<const sockaddr*>(&address),
                   sizeof(address)),
              0);
  }
  ASSERT_TRUE(HasFile());
  const auto listener = Start();
  ASSERT_TRUE(listener.ok()) << listener.status();
  EXPECT_TRUE(Connect().valid());
}

TEST_F(ApiListenerTest, ALiveSocketIsLeftAlone) {
  const auto first = Start();
  const auto second = Start();
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(second.status().message(), HasSubstr(path_));
  EXPECT_TRUE(Connect().valid());
}

TEST_F(ApiListenerTest, AFileThatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(Start().status().code(), absl::StatusCode::kFailedPrecondition);
  std::string kept;
  std::ifstream(path_) >> kept;
  EXPECT_EQ(kept, "precious");
}

TEST_F(ApiListenerTest, APathThatIsTooLongIsRefusedWithItsLength) {
  path_ = "/tmp/" + std::string(103, 'x');
  const auto listener = Start();
  EXPECT_EQ(listener.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(listener.status().message(), HasSubstr("108 bytes, not 1..107"));
}

TEST_F(ApiListenerTest, AMissingDirectoryIsAnErrorThatNamesThePath) {
  path_ = dir_ / "missing/api.sock";
  const auto listener = Start();
  EXPECT_EQ(listener.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(listener.status().message(), HasSubstr(path_));
}

TEST_F(ApiListenerTest, ConnectionsBeyondTheBoundAreClosedUntilOneIsGone) {
  const auto listener = Start(/*most=*/2);
  const UniqueFd first = Connect();
  const UniqueFd second = Connect();
  WaitForGiven(2);
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_EQ((*listener)->refused(), 1);
  {
    runtime::MutexLock lock(mutex_);
    given_[0].Close();  // as gRPC does when it is done with it
  }
  const UniqueFd third = Connect();
  WaitForGiven(3);
  EXPECT_EQ((*listener)->refused(), 1);
}

TEST_F(ApiListenerTest, RunningOutOfDescriptorsRefusesButDoesNotEndIt) {
  const auto listener = Start();
  const UniqueFd first = Connect();
  WaitForGiven(1);
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const UniqueFd next(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const rlimit tight = {.rlim_cur = static_cast<rlim_t>(next.get()) + 16,
                        .rlim_max = limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  std::vector<UniqueFd> all;
  for (int fd = dup(next.get()); fd >= 0; fd = dup(next.get()))
    all.emplace_back(fd);
  ASSERT_FALSE(all.empty());
  all.pop_back();  // room for the client's socket only
  const UniqueFd refused = Connect();
  EXPECT_TRUE(IsClosed(refused));
  all.clear();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);

  const UniqueFd later = Connect();
  WaitForGiven(2);
  EXPECT_EQ((*listener)->refused(), 1);
}

}  // namespace
}  // namespace fairsched::server
