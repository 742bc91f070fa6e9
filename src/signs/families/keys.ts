import { rowsOf, type SignRow } from '../row.ts';

/** Keys, tokens, licences and addresses with a password in them that a program was given and cannot use. */
export const keyRows: readonly SignRow[] = [
  ...rowsOf('SecretUnusable', [
    {
      needs: [
        'messageencryptor',
        'mac is invalid',
        'bad decrypt',
        'message authentication failed',
        'badpaddingexception',
        'aeadbadtag',
        'unable to decrypt',
        'failed to decrypt',
        'could not decrypt',
        'cryptographicexception',
        "can't decrypt",
        'cannot decrypt',
        'encryption key',
      ],
      pattern:
        /\bMessageEncryptor::InvalidMessage\b|\bThe MAC is invalid\b|\bbad decrypt\b|\bcipher: message authentication failed\b|\b(?:BadPadding|AEADBadTag)Exception\b|\b(?:[Uu]nable to|[Ff]ailed to|[Cc]ould not|[Cc]an(?:no|')t) decrypt\b|\b[Mm]ismatch(?:ing|ed) encryption keys?\b|\bCryptographicException: The specified network password\b/,
      source: 'Rails credentials; Laravel encrypter; OpenSSL; Go crypto/cipher; Java javax.crypto: the key is another',
    },
    {
      needs: [
        'password was incorrect',
        'mac verify',
        'mac could not be verified',
        'invalid keystore',
        'get key failed',
      ],
      pattern:
        /\bkeystore password was incorrect|\bKeystore was tampered with, or password was incorrect|\bmac verify (?:failure|error)|\bMAC could not be verified|\bInvalid keystore format|\bGet Key failed: /i,
      source: 'Java java.security.KeyStore; OpenSSL PKCS12_parse: another password, or another file',
    },
    {
      needs: [
        'bad password read',
        'pem pass phrase',
        'problems getting password',
        'private key is encrypted',
        'encrypted private key',
      ],
      pattern:
        /PrivateKey_file\("(?<name>[^"]{1,300})"\)[^\n]{0,400}?(?:bad password read|problems getting password)|\bbad password read\b|\bproblems getting password\b|\b[Pp]rivate key is encrypted\b/,
      source: 'OpenSSL PEM_read_bio_PrivateKey: the key has a passphrase, and nobody is there to give it',
    },
    {
      needs: ['jwt', 'number of segments', 'invalid token format', 'token is malformed'],
      pattern:
        /\b(?:not a valid|invalid|malformed) JWT\b|\bjwt (?:malformed|must be provided)|\btoken contains an invalid number of segments|\binvalid token format|\btoken is malformed/i,
      source: 'golang-jwt, jsonwebtoken, PyJWT: what should be a token is none',
    },
    {
      needs: [' bytes', ' characters', ' bits', 'refusing to start'],
      pattern:
        /\b\w{0,40}(?:key|secret|token|password) (?:length )?(?:must|should|has to) (?:be|have) (?:at least |exactly |a minimum of )?\d{1,4}(?:,? (?:or )?\d{1,4}){0,4} (?:bytes|characters|bits)\b|\b[Rr]efusing to start (?:due to|because of|with) (?:an? )?(?:insecure|default|weak|empty) \w/i,
      source: 'oauth2-proxy, MinIO, Superset and others: a key that is too short, too long or the one of the manual',
    },
    {
      needs: ['licen'],
      pattern:
        /\b[Ll]icen[cs]e(?: key)?(?: [\w./-]{1,120})? (?:has |is )?(?:expired|not valid|invalid)\b|\b[Ee]xpired licen[cs]e\b|\blicen[cs]e (?:check|validation) failed\b/,
      source: 'what products say that are paid for by time',
    },
    {
      needs: ['invalid header field value', 'invalidheader', 'invalid character in header content'],
      pattern:
        /\binvalid header field value for \\?"?(?<name>[A-Za-z-]{1,60})|\bInvalidHeader: Invalid leading whitespace|\bInvalid character in header content \["(?<name>[A-Za-z-]{1,60})"\]/,
      source:
        'Go net/http; Python requests; Node http: a token that no header can hold, as with a line feed at its end',
    },
    {
      needs: [
        'invalid port',
        'invalid userinfo',
        'provided database string is invalid',
        'connection string is invalid',
      ],
      pattern:
        /\bfailed to parse as URL \(|\bnet\/url: invalid userinfo\b|\bparse "[^"]{1,300}": (?:invalid port|net\/url: invalid userinfo)|\bThe provided database string is invalid\b|\b[Cc]onnection string is invalid\b/,
      source: 'Go net/url, pgx; Prisma P1013: a password with characters that end an address',
    },
  ]),
];
