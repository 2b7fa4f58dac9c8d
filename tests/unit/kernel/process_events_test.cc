// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/process_events.h"

#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>

#include <cstring>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Message {
  uint32_t length = 0;  // 0: what it is
  uint16_t type = NLMSG_DONE;
  uint32_t connector = CN_IDX_PROC;
  uint16_t body_length = sizeof(proc_event);
  decltype(proc_event::what) what = proc_event::PROC_EVENT_UID;
  int32_t pid = 0;
};

std::string Bytes(const Message& message) {
  std::string bytes(NLMSG_HDRLEN + 20 + sizeof(proc_event), '\0');
  nlmsghdr header{};
  header.nlmsg_len = message.length != 0 ? message.length
                                         : static_cast<uint32_t>(bytes.size());
  header.nlmsg_type = message.type;
  std::memcpy(bytes.data(), &header, sizeof header);
  const uint32_t ids[] = {message.connector, CN_VAL_PROC, 0, 0};
  std::memcpy(bytes.data() + NLMSG_HDRLEN, ids, sizeof ids);
  std::memcpy(bytes.data() + NLMSG_HDRLEN + 16, &message.body_length, 2);
  proc_event event{};
  event.what = message.what;
  event.event_data.id.process_tgid = message.pid;
  std::memcpy(bytes.data() + NLMSG_HDRLEN + 20, &event, sizeof event);
  return bytes;
}

TEST(ParseProcessEventsTest, TakesThePidsOfChangedUids) {
  const ProcessHints hints = ParseProcessEvents(
      Bytes({.pid = 7}) + Bytes({.what = proc_event::PROC_EVENT_FORK}) +
      Bytes({.pid = 8}));
  EXPECT_THAT(hints.uid_changed, ElementsAre(7, 8));
  EXPECT_FALSE(hints.lost);
}

TEST(ParseProcessEventsTest, OtherConnectorsAndPaddingAreNotForUs) {
  const ProcessHints hints = ParseProcessEvents(
      Bytes({.connector = 99, .pid = 7}) + Bytes({.type = NLMSG_NOOP}));
  EXPECT_THAT(hints.uid_changed, IsEmpty());
  EXPECT_FALSE(hints.lost);
}

TEST(ParseProcessEventsTest, AnOverrunIsLoss) {
  EXPECT_TRUE(ParseProcessEvents(Bytes({.type = NLMSG_OVERRUN})).lost);
}

TEST(ParseProcessEventsTest, WhatIsCutShortIsLossAndNeverReadBeyond) {
  const std::string whole = Bytes({.pid = 7});
  for (size_t size = 1; size < whole.size(); ++size) {
    const ProcessHints hints = ParseProcessEvents(whole.substr(0, size));
    EXPECT_TRUE(hints.lost) << size;
    EXPECT_THAT(hints.uid_changed, IsEmpty()) << size;
  }
  EXPECT_TRUE(ParseProcessEvents(Bytes({.length = 3})).lost);
  EXPECT_TRUE(ParseProcessEvents(Bytes({.length = 1u << 31})).lost);
  EXPECT_TRUE(ParseProcessEvents(Bytes({.body_length = 60000})).lost);
}

TEST(ParseProcessEventsTest, NothingIsNothing) {
  EXPECT_FALSE(ParseProcessEvents("").lost);
}

}  // namespace
}  // namespace fairsched::kernel
