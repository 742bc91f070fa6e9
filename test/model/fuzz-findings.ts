/**
 * What `make fuzz` and the properties have found, by what it was found in: each was mended, and is played in every run. A new one is added as it
 * was printed (`Counterexample`), with what was wrong.
 */

/** Texts in which the redactor left a part of a secret, took a name for one, or changed more when it was run again. */
export const redaction: readonly {
  readonly text: string;
  readonly wrong: string;
  readonly keeps?: true;
  readonly secret?: string;
}[] = [
  { text: 'xoxa-access-key=a0a0a0a0a0', secret: 'a0a0a0a0a0', wrong: 'the name vanished as a token, its value stayed' },
  {
    text: 'pypi-client-2-secret=a0a0a0a0a0',
    secret: 'a0a0a0a0a0',
    wrong: 'the name vanished as a token, its value stayed',
  },
  {
    text: 'cannot open /etc/passwd: DB_PASSWORD: "swordfish1" x',
    secret: 'swordfish1',
    wrong: 'the next name was taken for the value',
  },
  { text: 'password: api_key: s3cr3tvalue', secret: 's3cr3tvalue', wrong: 'the next name was taken for the value' },
  { text: '{"password":{"value":"nestedPw-91"}}', secret: 'nestedPw-91', wrong: 'the brace was taken for the value' },
  { text: 'userPassword:: e1NTSEF9Wm05', secret: 'e1NTSEF9Wm05', wrong: 'the second colon was taken for the value' },
  {
    text: 'finished error_AaAaaaAaaaaaaaAaaaaaaaAaAaaaaaa2 in 4 s',
    keeps: true,
    wrong: 'the name of an error was taken for a token',
  },
  {
    text: "secret 'production-database-credentials' not found",
    keeps: true,
    wrong: 'the name of a Secret was taken for its value',
  },
];
