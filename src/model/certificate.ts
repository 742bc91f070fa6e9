/** What a certificate says, bounded. Times are epoch milliseconds. */
export type Certificate = {
  /** The begin of its SHA-256 fingerprint: the same certificate in several Secrets. */
  readonly id: string;
  /** The common name, else the first name it is for. */
  readonly subject: string;
  /** The names it is for (DNS names and addresses), at most ten. */
  readonly names: readonly string[];
  readonly issuer: string;
  readonly notBefore: number;
  readonly notAfter: number;
  /** Who issued it has the same name: nobody vouches for it, or it is a root. */
  readonly isSelfIssued: boolean;
};
