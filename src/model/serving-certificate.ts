/** How the certificate is that the endpoints are served with over TLS. Times are epoch milliseconds. */
export type ServingCertificateView =
  /** Nobody asked for TLS. */
  | { readonly is: 'off' }
  /** Its Secret has not been read yet. */
  | { readonly is: 'pending' }
  /** Served until then. */
  | { readonly is: 'serving'; readonly notAfter: number }
  /** A sentence's end that says why; `kept`: the one read before goes on to be served. */
  | { readonly is: 'failing'; readonly why: string; readonly kept: boolean };
