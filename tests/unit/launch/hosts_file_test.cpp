#include "launch/hosts_file.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace viaduct {

namespace {

std::string message_of(const std::string& text) {
  try {
    parse_hosts(text, "hosts");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST(HostsFile, ReadsHostsAndSlots) {
  const auto hosts =
      parse_hosts("# two nodes\nnode01 slots=8\n\nnode02 slots=4 max_slots=8 # last\n", "h");
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].host, "node01");
  EXPECT_EQ(hosts[0].slots, 8);
  EXPECT_EQ(hosts[1].slots, 4);
  EXPECT_EQ(total_slots(hosts), 12);
}

TEST(HostsFile, KnowsNoTotalWhereALineDoesNotSay) {
  EXPECT_EQ(total_slots(parse_hosts("a slots=8\nb\n", "h")), 0);
}

TEST(HostsFile, NamesFileLineAndRightForm) {
  EXPECT_EQ(message_of("a\nb slot=2\n"),
            "hosts:2: unknown word 'slot=2'; the right form is: HOST slots=N");
  EXPECT_EQ(message_of("a slots=0\n"), "hosts:1: 'slots=0' must be slots=N with N from 1");
  EXPECT_EQ(message_of("a slots=4x\n"), "hosts:1: 'slots=4x' must be slots=N with N from 1");
  EXPECT_EQ(message_of("slots=4\n"),
            "hosts:1: 'slots=4' is not a host; the right form is: HOST slots=N");
  EXPECT_EQ(message_of("a\na slots=2\n"), "hosts:2: host 'a' is given twice; add up its slots");
  EXPECT_EQ(message_of("# none\n"),
            "hosts: no host; the right form is one line for each: HOST slots=N");
}

TEST(HostsFile, TakesOnlyWhatCanBeAHost) {
  EXPECT_EQ(parse_hosts("n1 slots=2\r\nuser@n-2.site_a\r\nfe80::1%eth0\n", "h").size(), 3U);
  for (const char* host : {"node[1-99]", "\x01\x02", "\xef\xbb\xbfnode1", "a,b", "a;b"}) {
    EXPECT_NE(message_of(std::string(host) + " slots=2\n").find("is not a host; the right form is"),
              std::string::npos)
        << host;
  }
}

TEST(HostsFile, DoesNotWaitForAPipe) {
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(read_hosts_file(pipe), Error);
  std::filesystem::remove_all(folder);
}

TEST(HostsFile, NamesAFileThatCannotBeRead) {
  try {
    read_hosts_file("/no/such/file");
    FAIL() << "read a file that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(),
              "cannot read the hosts file '/no/such/file': No such file or directory");
  }
  EXPECT_THROW(read_hosts_file("/"), Error);
}

}  // namespace viaduct
