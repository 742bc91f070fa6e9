import { certain, namesKey, passwords } from './names.ts';
import { looksRandom } from './randomness.ts';
import { mark, type Rule } from './rule.ts';
import { isHarmless, isKeyLike, isPlaceholder, isWellMixed, looksDrawn, looksMadeUp } from './values.ts';

/** What people and programs write in sentences. A word counts only where it looks made up: `the password is wrong` stays. */
export const proseRules: readonly Rule[] = [
  {
    what: 'the password is …, invalid token "…", API key …',
    pattern: new RegExp(
      `(?<!unexpected |illegal |unknown |next )((?:${passwords}|secret access key|api[-_ ]?key|access key|(?:shared|client|radius)[-_ ]secret|(?:snmp )?community string|snmp community|token|secret|credential|(?:one-time|verification|recovery|backup|pairing|activation|unlock|invite) code|auth)(?: (?:is|was|value|provided|of|set|to|is set to|set to|(?:you |they |it )?(?:entered|typed|gave|given|supplied)))?[:,]?[^\\S\\r\\n]{1,3}["'\`“]?)([^\\s"'\`”,;:()<>]{4,300})`,
      'gi',
    ),
    keep(whole, before = '', text = '') {
      // `container=auth pod=auth-7565cfd994`: what follows is the next pair.
      if (/^[\w.-]+=[^=]/.test(text)) return whole;
      // What a runner of tests writes.
      if (/^PASS\b/.test(before) && text.startsWith('Test')) return whole;
      const plain = text.replace(/[.!?]+$/, '');
      // Whose several were: `too many failed passwords: jane.doe2`.
      if (/(?:word|wd|phrase|code)s\b/i.test(before) && !looksDrawn(plain, 8)) return whole;
      const digits = /^pass\w|code/i.test(before) && /^\d{4,12}$/.test(plain);
      // Secrets of Kubernetes have names, in small letters.
      if (/^secret(?! access)/i.test(before) && !isWellMixed(plain)) return whole;
      const least = /^auth/i.test(before) ? 20 : /^secret/i.test(before) ? 16 : 6;
      return digits || looksMadeUp(plain, least) ? `${before}${mark}${text.slice(plain.length)}` : whole;
    },
  },
  {
    what: 'a password with words of whose it is: password for the user elastic is …',
    pattern:
      /((?:password|passphrase)(?: (?!fail|auth|err|inval|incorr|wrong|miss|den|expir|column|field|policy|length|check|strength|hash|history|not )[:#]?[\w@.[\]'"/()-]{1,60}){1,6}?(?: \([^()\n]{1,100}\))?(?: is(?: now)?| was| to|:):? )(["'`]?[^\s]{4,200})/gi,
    needs: ['ass'],
    // Where it was put, and not what it is.
    unless: (_, before) =>
      / (?:in|from) (?:the )?(?:secret|vault|file|keychain|keyring)(?: is)?:? ["'`]?$/i.test(before),
    keep: (whole, before = '', text = '') =>
      looksMadeUp(text.replace(/^["'`]|["'`.,]+$/g, ''), 6) ? `${before}${mark}` : whole,
  },
  {
    what: 'a key with words of whose it is: the token for the runner build-3 is …',
    pattern:
      /((?:token|secret|(?:api|access|license|licence|auth|join|master|encryption|signing)[-_ ]?key|pass-?code|(?<![A-Za-z])pin|code) (?:for|of|on|to|from|at)(?: (?!fail|auth|err|inval|incorr|wrong|miss|den|expir|column|field|policy|length|check|strength|hash|history|not )[:#]?[\w@.[\]'"/()-]{1,60}){1,6}?(?: is(?: now)?| was| set to|:|,| =| ->):? ["'`(]?)([^\s"'`]{4,400})/gi,
    hint: (text) => / (?:for|of|on|to|from|at) /i.test(text),
    keep(whole, before = '', text = '') {
      const plain = text.replace(/[).,;]+$/, '');
      const digits = /^(?:pin|pass-?code|code)/i.test(before) && /^\d{4,12}$/.test(plain) && / (?:is|was)/.test(before);
      const told = /(?:is(?: now)?|was|to)\W*$/.test(before) ? looksDrawn(plain, 8) : looksRandom(plain, 12);
      const secret = digits || told || (isKeyLike(plain) && !/[:,]\W*$/.test(before));
      return secret ? `${before}${mark}${text.slice(plain.length)}` : whole;
    },
  },
  {
    what: "SQL: CREATE SECRET (…, SECRET '…')",
    pattern: /((?<![\w-])SECRET ')([^'\s]{8,200})(?=')/g,
    needs: ["SECRET '"],
    keep: (whole, before = '', text = '') => (looksDrawn(text, 8) ? `${before}${mark}` : whole),
  },
  {
    what: 'SNMP: createUser name SHA "…" AES "…"',
    pattern:
      /(createUser \S{1,60} (?:MD5|SHA[\w-]{0,5}) ["']?)[^\s"']{4,100}(["']? (?:AES|DES)[\w-]{0,5} ["']?)[^\s"']{4,100}/g,
    needs: ['createUser '],
    keep: `$1${mark}$2${mark}`,
  },
  {
    what: 'what a program prints on a line of its own behind one that tells of a password: New value: …, and the value alone',
    pattern:
      /((?:password|passphrase)[^\n]{0,120}(?::[^\S\n]*\n\n?|\n(?:New |The )?(?:value|password):|: New value:)[^\S\n]*)(\S{8,200})(?=[^\S\n]*(?:\n|$))/gi,
    needs: ['assword', 'assphrase', 'ASSWORD'],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 8) ? `${before}${mark}` : whole),
  },
  {
    what: 'the key that something is encrypted or signed with',
    pattern: /((?:crypt|sign)\w{0,6} (?:[\w-]{1,20} ){0,4}?key:? ["'`]?)([A-Za-z0-9+/_-]{20,200}={0,2})(?![\w/])/gi,
    needs: [' key'],
    keep: (whole, before = '', text = '') => (isWellMixed(text) ? `${before}${mark}` : whole),
  },
  {
    what: 'what was compared: ENCRYPTION_KEY mismatch: expected …, got …',
    pattern: new RegExp(
      `(?:${certain})(?![\\w-]| (?:id|version|checksum|hash|digest|fingerprint|type)\\b)[^\\n]{0,120}?(?:\\b(?:expected|got|received|actual|want(?:ed)?|have|found|was|now)\\b|[!=]=)[^\\n]{0,400}`,
      'gi',
    ),
    hint: (text) =>
      /\b(?:expected|got|received|actual|want(?:ed)?|have|found|was|now)\b[:=]?\s{1,3}["'`]?(?=[^\s\d]{0,60}\d)\S{6}|[!=]= /i.test(
        text,
      ),
    keep: (whole) =>
      whole.replace(
        /((?:\b(?:(expected|got|received|actual|wanted)|want|have|found|was|now)\b[:=]?|[!=]=)\s{1,3}["'`]?)([^\s"'`,;()]{6,300})|(?<=: )([\da-f]{32,128})(?= [!=]=)/gi,
        (one, before?: string, strong?: string, text = '', left?: string) => {
          if (left !== undefined) return mark;
          const least = /^pass/i.test(whole) ? 6 : 8;
          const secret =
            strong === undefined
              ? isKeyLike(text)
              : looksDrawn(text, 12) ||
                isKeyLike(text) ||
                (text.length >= 8 && isWellMixed(text)) ||
                (looksMadeUp(text, least) && least === 6);
          return secret ? `${before}${mark}` : one;
        },
      ),
  },
  {
    what: 'a key of whatever: Fernet key …',
    pattern: /((?<![\w-])[A-Za-z]{2,20}(?: k|K)ey:? ["'`]?)([A-Za-z0-9+/_-]{20,200}={0,2})(?![\w/])/g,
    needs: [' key', 'Key'],
    keep(whole, before = '', text = '') {
      const key = isKeyLike(text) && !/^[\da-f]+$/i.test(text);
      return key && namesKey(before.trim()) ? `${before}${mark}` : whole;
    },
  },
  {
    what: 'a directive whose name ends in key: aws_sec_key …',
    pattern: /((?<![\w-])[a-z][a-z\d_]{0,40}_key {1,3})([A-Za-z0-9/+=_-]{16,200})(?=\s|$)/g,
    needs: ['key '],
    keep: (whole, before = '', text = '') =>
      looksDrawn(text, 16) && namesKey(before.trim()) ? `${before}${mark}` : whole,
  },
  {
    what: 'the value before its name: … is not a valid password, using "…" as password',
    pattern:
      /(?<![^\s"'`(])([^\s"'`(]{6,200})(?=["'`]? (?:is (?:not a valid|no valid|an invalid|a wrong|the wrong)|as(?: the| a)?) (?:password|passphrase)\b)/gi,
    needs: ['assword', 'assphrase', 'ASSWORD'],
    keep: (whole) => (looksMadeUp(whole, 6) ? mark : whole),
  },
  {
    what: 'the value before its name: invalid value "…" for variable "db_password", invalid argument "…" for "--token" flag',
    pattern: new RegExp(
      `(?<=["'\`])[^\\s"'\`]{6,200}(?=["'\`] (?:for|of)(?: the)?(?: (?:variable|field|key|flag|option|parameter|setting|property|argument|input))? ["'\`]?[\\w., -]{0,60}(?:${certain})\\b)`,
      'gi',
    ),
    needs: [' for', ' of'],
    keep: (whole) => (looksMadeUp(whole, 6) ? mark : whole),
  },
  {
    what: 'whose password it is between the name and the sign: PASSWORD elastic = …',
    pattern: /((?<![\w-])(?:PASSWORD|password) [\w.@-]{1,40} = )(\S{8,200})(?=\s|$)/g,
    needs: [' = '],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 8) ? `${before}${mark}` : whole),
  },
  {
    what: 'a password of several words, in quotes: the passphrase is "…"',
    pattern: new RegExp(`((?:${passwords})( is:?| set to:?|:)? ["'\`“])([^"'\`”\\r\\n]{4,200})(?=["'\`”])`, 'gi'),
    needs: [' "', " '", ' `', ' “'],
    keep(whole, before = '', says, text = '') {
      const secret = says === undefined ? / .*\d/.test(text) : !isHarmless(text.split(' ')[0] ?? '');
      return secret ? `${before}${mark}` : whole;
    },
  },
  {
    what: 'credentials as people name them: default credentials admin:…, admin / …',
    pattern:
      /((?:(?:credentials?|basic[- ]auth):? |(?:user|user[._]info|auth|login|creds?|credentials?|userpass|userpwd)["']?\s?(?:=>|[=:])\s?["']?)(?!(?:system|arn|urn|spiffe|oidc|https?|ldaps?|sub|group|role|serviceaccount):[a-z-]{0,30}[:/]|sha\d+:)[A-Za-z][\w.@-]{0,60}(?: \/ |[:/]))([^\s"',;()<>]{4,200})/gi,
    needs: ['user', 'auth', 'login', 'cred'],
    keep(whole, before = '', text = '') {
      // `user: shop/web-2` is in a namespace.
      const least = /user.*\/$/i.test(before) ? 12 : 6;
      return looksMadeUp(text, least) ? `${before}${mark}` : whole;
    },
  },
  {
    what: 'a directive of a server: requirepass …, bindpw …, community …',
    pattern:
      /((?<![\w-])(?:requirepass|auth-pass [\w.-]{1,60}|auth_pass|masterauth|insecure-password|primaryauth|(?:olc)?rootpw|bindpw|pre-?shared[-_]?key|(?:key|secret|password) \d(?= [\dA-F])|snmp-server community|r[ow]community6?|stats auth \S{1,60}?:|login \S{1,60} password|: psk)["']?(?: {1,20}|(?<=stats auth \S{1,60}:))["']?)((?<=")[^"\r\n]{4,200}|[^\s"'=:][^\s"']{3,200})/gi,
    keep: (whole, before = '', text = '') => (isPlaceholder(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'a name and its value that are set: config set requirepass …, npm config set …:_authToken …',
    pattern: new RegExp(
      `(\\bset["']?(?: --?[\\w-]{1,20}){0,2} ["']?(?!-)[\\w/.:-]{0,100}?(?:${passwords}|secret|token|(?:api|access)[-_]?key|authtoken)["']? ["']?)([^\\s"'=]{4,300})`,
      'gi',
    ),
    needs: ['set', 'SET', 'Set'],
    keep: (whole, before = '', text = '') => (isHarmless(text) || text === 'to' ? whole : `${before}${mark}`),
  },
];
