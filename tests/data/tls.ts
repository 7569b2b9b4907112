/**
 * A key and its own certificate for 127.0.0.1, from 2020 to 2219, for tests only: `openssl req -x509 -newkey ec
 * -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=a test" -addext "subjectAltName=IP:127.0.0.1" -days 73000`
 */
export const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyotWowCh1dANIgBj
5bpsxQ/JpcM6wuvuhP+wlW5xNDahRANCAARrk2WexurGn39c+x1P2fQukZUICl25
v5gRyucw0HTGn0yn662vLBr5eEEnD5xWcTUNUzdKPPw7EbEph+cZXdy0
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBijCCATCgAwIBAgIUXZZzJI2Q3uNF4B0o6usuPariK0EwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGYSB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIyMTkxMTE0MDAw
MDAwWjARMQ8wDQYDVQQDDAZhIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AARrk2WexurGn39c+x1P2fQukZUICl25v5gRyucw0HTGn0yn662vLBr5eEEnD5xW
cTUNUzdKPPw7EbEph+cZXdy0o2QwYjAdBgNVHQ4EFgQUpH+om+eB96mqZ6aKh1w6
o1OlE+cwHwYDVR0jBBgwFoAUpH+om+eB96mqZ6aKh1w6o1OlE+cwDwYDVR0TAQH/
BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIQD/M0KY
Fd23sO79HNV/lZ/fKH3YOeSru8PFbH0GGiQVgwIgHY+0cuZLnYTPAjR6NucYx9Gh
SrMDZZumh14GckcluSE=
-----END CERTIFICATE-----
`,
}
