// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_HTTP_LIBRARY_H_
#define FAIRSCHED_SERVER_HTTP_LIBRARY_H_

// The library is built with TLS, and the layout of its types depends on that:
// whoever includes its header has to say so, too. Only ever include it from
// here.
#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_OPENSSL_SUPPORT
#endif
#include <httplib.h>

#endif  // FAIRSCHED_SERVER_HTTP_LIBRARY_H_
