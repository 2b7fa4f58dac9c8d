// SPDX-License-Identifier: Apache-2.0
#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/unique_fd.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_dir.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The other side: a socket as systemd has one.
class Manager {
 public:
  explicit Manager(const std::string& name)
      : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const size_t size = offsetof(sockaddr_un, sun_path) + name.size();
    EXPECT_EQ(bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address),
                   static_cast<socklen_t>(size)),
              0);
  }
  // What came since the last call.
  std::vector<std::string> Take() {
    std::vector<std::string> messages;
    char buffer[256];
    ssize_t size = 0;
    while ((size = recv(fd_.get(), buffer, sizeof(buffer), 0)) >= 0)
      messages.emplace_back(buffer, static_cast<size_t>(size));
    return messages;
  }

 private:
  UniqueFd fd_;
};

class ServiceManagerTest : public ::testing::Test {
 protected:
  ~ServiceManagerTest() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
      unsetenv(name);
  }

  testing::FakeClock clock_;
  testing::TempDir dir_;
  const std::string path_ = dir_ / "notify";
};

TEST_F(ServiceManagerTest, IsToldHowTheDaemonIs) {
  Manager manager(path_);
  const ServiceManager told(clock_, {.socket = path_, .watchdog = {}});

  told.Ready();
  told.Status("enforcing");
  told.Stopping();

  EXPECT_THAT(manager.Take(),
              ElementsAre("READY=1", "STATUS=enforcing", "STOPPING=1"));
}

TEST_F(ServiceManagerTest, AStatusIsOneMessage) {
  Manager manager(path_);
  const ServiceManager told(clock_, {.socket = path_, .watchdog = {}});

  told.Status("one\nMAINPID=1");

  EXPECT_THAT(manager.Take(), ElementsAre("STATUS=one"));
}

TEST_F(ServiceManagerTest, ANameThatIsNoPathBeginsWithAnAtSign) {
  const std::string name = absl::StrCat("@fairsched-test-", getpid());
  Manager manager(name);

  ServiceManager(clock_, {.socket = name, .watchdog = {}}).Ready();

  EXPECT_THAT(manager.Take(), ElementsAre("READY=1"));
}

TEST_F(ServiceManagerTest, TheWatchdogHearsOfTicksFourTimesInItsTime) {
  Manager manager(path_);
  ServiceManager told(clock_, {.socket = path_, .watchdog = absl::Seconds(10)});

  for (int tick = 0; tick < 100; ++tick) {
    told.Alive();
    clock_.Advance(absl::Milliseconds(100));
  }

  EXPECT_THAT(manager.Take(), ElementsAre("WATCHDOG=1", "WATCHDOG=1",
                                          "WATCHDOG=1", "WATCHDOG=1"));
}

TEST_F(ServiceManagerTest, WithoutAWatchdogTicksSayNothing) {
  Manager manager(path_);
  ServiceManager told(clock_, {.socket = path_, .watchdog = {}});

  told.Alive();

  EXPECT_THAT(manager.Take(), IsEmpty());
}

TEST_F(ServiceManagerTest, AManagerThatDoesNotReadMakesNobodyWait) {
  Manager manager(path_);
  const ServiceManager told(clock_, {.socket = path_, .watchdog = {}});

  for (int i = 0; i < 10'000; ++i) told.Ready();

  EXPECT_LT(manager.Take().size(), 10'000U);
}

TEST_F(ServiceManagerTest, WithoutAManagerNothingIsSaid) {
  ServiceManager(clock_, {}).Ready();
  ServiceManager(clock_, {.socket = path_, .watchdog = {}}).Ready();
  ServiceManager(clock_, {.socket = std::string(200, 'x'), .watchdog = {}})
      .Ready();
}

TEST_F(ServiceManagerTest, TheEnvironmentSaysWhoIsToBeTold) {
  setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1);
  setenv("WATCHDOG_USEC", "10000000", 1);
  setenv("WATCHDOG_PID", absl::StrCat(getpid()).c_str(), 1);

  const ServiceManager::Options options = ServiceManager::FromEnvironment();

  EXPECT_EQ(options.socket, "/run/systemd/notify");
  EXPECT_EQ(options.watchdog, absl::Seconds(10));
}

TEST_F(ServiceManagerTest, AnothersWatchdogIsNotOurs) {
  setenv("WATCHDOG_USEC", "10000000", 1);
  setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(ServiceManager::FromEnvironment().watchdog, std::nullopt);

  for (const char* usec : {"", "0", "-5", "soon"}) {
    unsetenv("WATCHDOG_PID");
    setenv("WATCHDOG_USEC", usec, 1);
    EXPECT_EQ(ServiceManager::FromEnvironment().watchdog, std::nullopt) << usec;
  }
}

}  // namespace
}  // namespace fairsched::server
