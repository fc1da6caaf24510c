#pragma once
// What a test tells the stand-in for libnvidia-ml.so.1 to answer. Each object begins anew.

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace viaduct::test {

class FakeNvml {
 public:
  FakeNvml() : handle_(::dlopen(VIADUCT_FAKE_NVML, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      throw std::runtime_error("the stand-in for NVML cannot be opened");
    }
    call<void()>("fake_nvml_reset")();
  }

  ~FakeNvml() { ::dlclose(handle_); }

  FakeNvml(const FakeNvml&) = delete;
  FakeNvml& operator=(const FakeNvml&) = delete;

  /// A field of GPU 0; `scope` a link, or 0xFFFFFFFF.
  void set(unsigned field, unsigned long long value, unsigned scope = 0) const {
    call<void(int, unsigned, unsigned, unsigned long long)>("fake_nvml_set")(
        0, field, scope, value);
  }

  /// The same field on every link of both GPUs.
  void set_on_links(unsigned field, unsigned long long value) const {
    constexpr unsigned links = 18;
    for (int gpu = 0; gpu < 2; ++gpu) {
      for (unsigned link = 0; link < links; ++link) {
        call<void(int, unsigned, unsigned, unsigned long long)>("fake_nvml_set")(
            gpu, field, link, value);
      }
    }
  }

  /// What the links lead to: 0 the other GPU, 2 a switch, 255 not known.
  void set_remote(unsigned type) const { call<void(unsigned)>("fake_nvml_remote")(type); }

  /// Level of the common ancestor of two GPUs, and the state of P2P between them.
  void set_between(unsigned ancestor, int p2p) const {
    call<void(unsigned, int)>("fake_nvml_between")(ancestor, p2p);
  }

  void set_typed(unsigned field, int type, unsigned long long bits) const {
    call<void(int, unsigned, unsigned, int, unsigned long long)>("fake_nvml_set_typed")(
        0, field, 0, type, bits);
  }

  void fail(unsigned field, int result, unsigned scope = 0) const {
    call<void(int, unsigned, unsigned, int)>("fake_nvml_fail")(0, field, scope, result);
  }

  void set_links(unsigned count) const { call<void(unsigned)>("fake_nvml_links")(count); }

  /// What NVML says of P2P by NVLink from GPU `from` to the other; a result that is not 0: no
  /// answer.
  void set_p2p(int from, int status, int result = 0) const {
    call<void(int, int, int)>("fake_nvml_p2p")(from, status, result);
  }

  void fail_all_calls(int result) const { call<void(int)>("fake_nvml_all_calls")(result); }

  void refuse_lists() const { call<void()>("fake_nvml_refuse_lists")(); }

  /// As NVML 580 does: the element behind the caller's last one is written as well.
  void go_too_far() const { call<void()>("fake_nvml_go_too_far")(); }

  void refuse_events() const { call<void()>("fake_nvml_refuse_events")(); }

  void set_reasons(unsigned long long bits) const {
    call<void(unsigned long long)>("fake_nvml_reasons")(bits);
  }

  void send_xid(unsigned long long xid) const {
    call<void(unsigned long long)>("fake_nvml_xid")(xid);
  }

  [[nodiscard]] int field_calls() const { return call<int()>("fake_nvml_field_calls")(); }

  /// Of GPU 0 in it.
  static constexpr const char* bus_id = "0000:17:00.0";

 private:
  template <typename Function>
  Function* call(const char* symbol) const {
    return reinterpret_cast<Function*>(::dlsym(handle_, symbol));
  }

  void* handle_;
};

}  // namespace viaduct::test
