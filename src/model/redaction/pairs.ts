import { certain, names, namesKey, namesSecret, passwords } from './names.ts';
import { isLabel, redactKey, redactLine, redactPair } from './pair-judges.ts';
import { looksRandom } from './randomness.ts';
import { mark, type Rule, spaces } from './rule.ts';
import { isHarmless, isHost, isKeyLike, isPath, looksDrawn, looksMadeUp } from './values.ts';

/** What ends a bare value, unless more of it follows at once that is not the next pair. */
const stops = '&,;<>)\\]}|\\\\';
const word = `[^\\s"'${stops}]`;
/** The name of the next pair is not the value of this one: `/etc/passwd: DB_PASSWORD: "…"`. */
const notTheNextName = `(?![\\w.-]{0,60}(?:${names})["']?[:=]["'\\s])`;
/** `{AES256}…=`: no name with a sign behind. */
const base64End = '[A-Za-z0-9+/]{16,200}={1,2}(?:[\\s"\',;]|$)';
/** A sentence about a field: Path `password` is required. */
const notSpokenOf =
  '(?!(?:path|field|value|property|attribute|column|the|this|validator|cast)\\b[^\\n\'"`]{0,40}(?:`| is | must | cannot | failed ))';
const bare = `${notTheNextName}${notSpokenOf}${word}+(?:[${stops}]+(?!amp;|(?!${base64End})[\\w.-]{1,40}${spaces}[=:]|[.:]|(?<=\\\\)[nrt])${word}+)*`;
/** A quotation mark as HTML, an address and JavaScript escape it. */
const escapedQuote = '(?:&(?:quot|apos|#0?3[49]|#x2[27]);|%2[27]|\\\\{1,2}u002[27])';
const newLine = '(?:\\r?\\n[^\\S\\r\\n]{1,20})?';
/** Between name and value: the end of a quoted name, a remark, a sign, and spaces or an indented new line. */
const signs = '=>|:=|->|::(?= )|[:=：＝]|%3[AaDd]|&#(?:58|61);';
const separator = `(?:\\\\{0,3}["']|${escapedQuote})?\\]?${spaces}(?:\\([^()\\r\\n]{1,30}\\)${spaces})?${newLine}(?:${signs})${spaces}${newLine}`;
/** What a language puts around a value when it prints one: a list, `Some("…")`, `string(8) "…"`, `<<"…">>`, `{"value":"…"}`. */
const wrapper = `(?:(?:\\[|<<|\\{\\s{0,3}["']\\w{1,20}["']\\s?:|[A-Za-z]{1,12}\\((?:\\d{1,5}\\)\\s)?)\\s{0,3}(?=["']))?`;
/** `b"…"`, `"""…"""`, `"…"`, `'…'`, `\"…\"`, `&quot;…&quot;`, `{…}` of SQL Server; quotes may be missing at the end. */
const value = [
  `([brun]{0,2}(?:"""|'''))((?:(?!"""|''')[\\s\\S]){0,2000})`,
  `([brun]{0,2}")((?:[^"\\\\\\r\\n]|\\\\.)*)`,
  `([brun]{0,2}')((?:[^'\\\\\\r\\n]|\\\\.)*)`,
  `(\\\\{1,3}["'])([^"'\\\\\\r\\n]*)`,
  `(${escapedQuote})((?:(?!${escapedQuote})[^\\r\\n]){1,300})`,
  `(\\{(?!["'{]))((?=[^{}]{0,200}\\}(?![^\\s;,"'&)\\]}]))[^{}=:"\\r\\n]{1,200})`,
  `()(${bare})`,
].join('|');

const entry = `((?:\\\\{0,3}["'])?${spaces}[,;]?\\s{0,20}\\\\{0,3}["']?value\\\\{0,3}["']?${spaces}[:=]${spaces}\\\\{0,3}["']?)([^\\s"'\\\\,}<>]{1,300})`;
const column = `(["']?(?:\\t{1,20}|${spaces}\\|[^\\S\\r\\n]{0,20}|\\.{4,80}))([^\\s|]{4,200})`;
const nextLine =
  '(["\']?[^\\S\\r\\n]{0,5}[:=][^\\S\\r\\n]{0,5}[|>\\\\]?-?[^\\S\\r\\n]{0,5}(?:\\r?\\n[^\\S\\r\\n]{0,40}){1,3})([^\\s"\':=]{6,300}=?)(?=[^\\S\\r\\n]*(?:\\r?\\n|$))';

/** What is told by its name: assignments, configuration, JSON, tables. In order: the earlier ones see more. */
export const pairRules: readonly Rule[] = [
  {
    what: 'a value of several words, in a line of its own: password = correct horse battery staple',
    pattern: new RegExp(
      `^([^\\S\\r\\n]{0,40}(?:export )?[\\w.-]{0,60}?(?:${passwords})(?:[^\\S\\r\\n]{1,20}=|(?<=^[^\\S\\r\\n]{1,40}\\S{1,80}|[_.-]\\w{1,20}):)[^\\S\\r\\n]{1,20})(?!["'])([\\w!@#$%^&*.-]{2,40}(?: [\\w!@#$%^&*.-]{2,40}){1,7})(?=[^\\S\\r\\n]*$)`,
      'gim',
    ),
    needs: ['= ', ': '],
    keep: (whole, before = '', text = '') =>
      text.split(' ').some((part) => isHarmless(part)) ? whole : `${before}${mark}`,
  },
  {
    what: 'words without quotes in a variable: WALLET_PASSPHRASE=correct horse battery staple',
    pattern:
      /^((?:export )?[A-Z][A-Z0-9_]{0,60}(?:PASS(?:WORD|WD|PHRASE)?|PWD)=)([a-z]{3,12}(?: [a-z]{3,12}){2,11})(?=[^\S\r\n]*$)/gm,
    needs: ['PASS', 'PWD'],
    keep: (whole, before = '', text = '') =>
      text.split(' ').some((part) => isHarmless(part)) ? whole : `${before}${mark}`,
  },
  {
    what: 'a line of configuration',
    pattern: new RegExp(
      `^([^\\S\\r\\n]{0,40}(?:- )?["']?[\\w.-]{0,60}?)(${certain})(["']?:[^\\S\\r\\n]{1,20})([^\\s"'#|>{\\[&*!%][^\\s]*)(?=[^\\S\\r\\n]*$)`,
      'gim',
    ),
    needs: [':'],
    keep: (_, before = '', name = '', gone = '', text = '') => redactLine(before, name, gone, text),
  },
  {
    // One rule, since looking for the names is what takes time.
    what:
      'name=value, name: value, "name": "value", \\"name\\":\\"value\\", connection strings, queries; an entry { name, value }; a column (tabs, bars ' +
      'or dots between); a value on the next line (of a block, after a backslash, of a prompt)',
    pattern: new RegExp(
      `(${names})(?:(${separator}${wrapper})(?:${value})|${[entry, column, nextLine].join('|')})`,
      'gi',
    ),
    unless: isLabel,
    keep(whole, name = '', separated, ...rest) {
      if (separated !== undefined) {
        // Opening and content of whichever alternative it was.
        const at = [0, 2, 4, 6, 8, 10, 12].find((index) => rest[index] !== undefined) ?? 12;
        return redactPair(name, separated, rest[at] ?? '', rest[at + 1] ?? '');
      }
      const at = [14, 16, 18].find((index) => rest[index] !== undefined) ?? 14;
      const text = rest[at + 1] ?? '';
      const secret = at === 14 ? !isHarmless(text) : looksMadeUp(text, 6);
      return secret ? `${whole.slice(0, -text.length)}${mark}` : whole;
    },
  },
  {
    what: 'a key of a name that no list knows: FERNET_KEY=…, hmacKey: "…"',
    pattern: new RegExp(
      `(?:[A-Za-z0-9][-_.][Kk]ey|[a-z]Key|[-_.]KEY)[sS]?(?:[-_.]?(?:[Bb](?:ase|ASE)?64|base|BASE|hex|HEX|[vV]?\\d{1,2}))?(?:\\[\\d{1,3}\\])?(?<=(?<![\\w.\\[\\]-])([\\w.\\[\\]-]{1,80}))((?:\\\\{0,3}["'])?${spaces}[:=]{1,2}${spaces}(?:\\[\\s?)?(?:\\\\{0,3}["'])?)([^\\s"'\\\\,;&<>)}\\]]{8,400})`,
      'g',
    ),
    needs: ['key', 'Key', 'KEY'],
    keep: (whole, name = '', _between = '', text = '') => redactKey(whole, name, whole.slice(0, -text.length), text),
  },
  {
    what: 'the key of a section: [client.admin] key = AQ…==',
    pattern: /((?:^|[\n;,{] {0,8}|\t)key\s{0,8}[=:]\s{0,3})([A-Za-z0-9+/]{24,100}={1,2})(?![\w=])/g,
    needs: ['key'],
  },
  {
    what: 'a key without a word of what it is for, if it can be nothing else: key = …, "seed": "…"',
    pattern:
      /((?<![\w.$-]|[\w.-] )(?:key|Key|KEY|seed|pat|creds?|refresh|access|sas)\\{0,3}["']?\s{0,8}(?:[=:]|=>|:=|->)\s{0,3}\\{0,3}["']?)([\w+/~-]{20,400}={0,2})(?![\w@:.])/g,
    needs: ['key', 'Key', 'KEY', 'seed', 'pat', 'cred', 'refresh', 'access', 'sas'],
    keep: (whole, before = '', text = '') => (looksRandom(text, 20) && !isPath(text) ? `${before}${mark}` : whole),
  },
  {
    what: 'the key beside the name of a user: {"username":"…","key":"…"} of Kaggle',
    pattern:
      /(\\{0,3}["']username\\{0,3}["']\s?:\s?\\{0,3}["'][^"'\\\n]{1,64}\\{0,3}["'],\s?\\{0,3}["']key\\{0,3}["']\s?:\s?\\{0,3}["']|["']key\\{0,3}["']\s?:\s?\\{0,3}["'](?=[\w+/=-]{16,400}\\{0,3}["'],\s?\\{0,3}["']username\\{0,3}["']))([\w+/=-]{16,400})/g,
    needs: ['username'],
    keep: (whole, before = '', text = '') => (isKeyLike(text) || looksRandom(text, 16) ? `${before}${mark}` : whole),
  },
  {
    what: 'the key of who records the runs of tests: CYPRESS_RECORD_KEY=…, authenticate record key: …',
    pattern:
      /((?:RECORD_KEY["']?\s?[=:]\s?["']?|(?:authenticate|[Yy]our) (?:the )?[Rr]ecord [Kk]ey:? ["'`(]?))[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g,
    needs: ['RECORD_KEY', 'ecord '],
  },
  {
    what: 'what follows the name of a file or a setting that ends in .key: master.key …',
    pattern:
      /((?<![\w./-])[\w./-]{0,80}\w\.key["'`]?(?: is| was|:| =|=)? {1,3}["'`(]?)([\w+/-]{16,400}={0,2})(?![\w@:.])/g,
    needs: ['.key'],
    keep: (whole, before = '', text = '') =>
      looksRandom(text, 16) || /^(?:[\da-f]{32}|[\da-f]{48}|[\da-f]{64})$/i.test(text) ? `${before}${mark}` : whole,
  },
  {
    what: 'the key of an account of a host: fs.azure.account.key.….net=…',
    pattern: /((?:account|storage)\.key\.[\w.-]{1,120}\s?[=:]\s?)([A-Za-z0-9+/=]{16,200})/g,
    needs: ['.key.'],
  },
  {
    what: 'what a validation refuses: spec.password: Invalid value: "…"',
    pattern: new RegExp(`((?:${certain}): [A-Z][a-z]{3,12} value: ["']?)([^\\s"']{3,300})`, 'gi'),
    needs: [' value: '],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'the words of a wallet',
    pattern:
      /((?:mnemonic|fromPhrase|(?:seed|recovery|secret)[-_ ]?(?:phrase|words))["']?\s{0,3}[:=(]?\s{0,3}["']?)(?:[a-z]{3,8} ){11,23}[a-z]{3,8}/gi,
    needs: ['nemonic', 'NEMONIC', 'phrase', 'Phrase', 'PHRASE', 'words', 'WORDS'],
  },
  {
    what: "arguments of a call that logs in: connect('host', 'name', '…'), new PDO('dsn', 'name', '…'), auth=('name', '…')",
    pattern:
      /((?:(?:(?<!oci_(?:new_)?p?)[Cc]onnect|login|bind|authenticate|PDO->__construct|new PDO)\w{0,10}\((?:[^'"(),]{1,60}|(['"])[^'"\n]{0,200}\2), (['"])[^'"\n]{0,100}\3, ['"]|(?:auth=|Credential)\((['"])[^'"\n]{0,100}\4, ['"]))([^'"\n]{3,200})(?=['"])/g,
    needs: ["', '", '", "', "'", '"'],
    keep: (whole, before = '', _a = '', _b = '', _c = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'a name and a password given to what logs in: login(\'name\', \'…\'), HTTPBasicAuth("name", "…"), login(name, …)',
    pattern:
      /(?:log_?[oi]n|sign_?in|auth(?:enticate|info)?=?|credentials?(?:\.basic)?|bind(?:_s)?|password|plaintext)\((?=[^()\n]{0,200},)[^()\n]{3,400}/gi,
    hint: (text) => /\([^(),\n]{0,100},/.test(text),
    keep: (whole) =>
      whole.replace(
        /(,\s{0,3})((["'])(?:(?!\3)[^\\\n]|\\.){4,200}\3|[^\s"',=()]{8,200}(?=,|$))/g,
        (one, comma = '', text = '', quote = '') => {
          const bare = text.slice(quote.length, text.length - quote.length);
          const secret =
            quote === ''
              ? looksDrawn(bare, 8)
              : /\d/.test(bare) && !isHost(bare) && (bare.includes(' ') || looksMadeUp(bare, 6));
          return secret ? `${comma}${quote}${mark}${quote}` : one;
        },
      ),
  },
  {
    what: 'the default of a reference: getenv("DB_PASSWORD") or "…", {{ .Values.token | default "…" }}',
    pattern: new RegExp(
      `((?:${certain})[^\\n"']{0,60}["']?[\\])]{0,2}\\s?(?:\\|\\s?default|\\|\\||\\?\\?|\\bor|,\\s?default=)[\\s(]{0,3}["'])([^"'\\n]{4,200})`,
      'gi',
    ),
    needs: ['default', '||', '??', ' or "', " or '"],
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'the lines of a list of users of PgBouncer: "name" "…"',
    pattern:
      /((?:^|(?:userlist|auth_file)[^"\n]{0,30})"(?=[^"\n]{0,60}[a-z])[\w.-]{1,64}" ")([^"\s]{6,200})(?="[^\S\n]*$)/gm,
    needs: ['" "'],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'a field of a form in several parts: name="password", an empty line, and the value',
    pattern: new RegExp(
      `(name=\\\\?"[\\w.-]{0,40}(?:${certain})\\\\?"(?:\\r?\\n|(?:\\\\r)?\\\\n){2})([^\\s\\\\]{3,300})`,
      'gi',
    ),
    needs: ['name='],
  },
  {
    what: 'a tuple: {password,"…"}, {password,<<"…">>}, (\'password\', \'…\')',
    pattern: new RegExp(
      `([{(]\\s{0,3}(?:<<)?["':]?[\\w.-]{0,60}?(?:${certain})["']?(?:>>)?\\s{0,3},\\s{0,3}(?:<<)?["'])([^"'\\r\\n]{1,300})`,
      'gi',
    ),
    keep(whole, before = '', text = '') {
      // A call of a function has arguments, too.
      const secret = before.startsWith('(') ? looksMadeUp(text, 6) : !isHarmless(text);
      return secret ? `${before}${mark}` : whole;
    },
  },
  {
    what: "what a call sets, by its name: define('AUTH_KEY', '…'), setProperty(\"db.password\", \"…\"), config.set('session_secret', '…')",
    pattern: new RegExp(
      `((?:(?<![\\w-])(?:define|const|add|append|with|putenv)|(?<![A-Za-z])(?:set|put)(?!_?(?:label|error|title|message|text|type|field|placeholder|help))\\w{0,24}|\\.(?:set|put|option|property)\\w{0,20})\\(\\s{0,3}(["'])[\\w.:-]{0,80}?(?:${certain}|[_.-](?:key|salt|pepper)|(?<=[a-z])(?:Key|Salt|Pepper))\\2\\s{0,3},\\s{0,20})(?:"((?:[^"\\\\\\r\\n]|\\\\.){4,300})"|'((?:[^'\\\\\\r\\n]|\\\\.){4,300})')`,
      'gi',
    ),
    needs: ["', ", '", ', "',", '",'],
    keep(whole, before = '', _quote = '', double, single) {
      const text = double ?? single ?? '';
      const name = before.slice(before.indexOf('(')).replace(/[\s,("']+/g, '');
      const drawn = looksDrawn(text, 8) || (text.length >= 12 && /[^\s\w.:/-]/.test(text));
      // Whatever is set as a password or a constant; of other names a map may have entries as well.
      const sure = !name.includes(':') && (/pass|pwd/i.test(name) || /^(?:define|const)/.test(before));
      const secret =
        (namesSecret(name) && (sure || drawn || / /.test(text))) ||
        (drawn && (namesKey(name) || /(?:salt|pepper)$/i.test(name)));
      const quote = whole.slice(before.length, before.length + 1);
      return secret && !isHarmless(text) && !isPath(text) ? `${before}${quote}${mark}${quote}` : whole;
    },
  },
  {
    what: 'what a value becomes, in a plan: password = "…" -> "…"',
    pattern: new RegExp(
      `((?:${certain})["']?\\s{0,20}[:=]\\s{0,3}["'][^"'\\n]{0,300}["'] [-=]> ["'])([^"'\\n]{4,300})`,
      'gi',
    ),
    needs: ['" -> "', '" => "', "' -> '", "' => '"],
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'the administrators of CouchDB: [admins] name = …',
    pattern: /(\[admins\]\s{1,8}[\w.-]{1,64} ?= ?)(\S{3,200})/g,
    needs: ['[admins]'],
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'users of an IPsec gateway: name : EAP "…"',
    pattern: /((?:^|\s): (?:EAP|XAUTH|NTLM) ["'])([^"'\n]{3,200})/gm,
    needs: [': EAP ', ': XAUTH ', ': NTLM '],
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: "the key that a call signs or encrypts with: jwt.sign(payload, '…'), createHmac('sha256', '…'), Fernet(b'…')",
    pattern:
      /((?:(?:jwt\.(?:sign|verify|encode|decode)\([^()'"\n]{1,60}|createHmac\(\s?['"][\w-]{1,20}['"]|hash_hmac\(['"][\w-]{1,20}['"], ?[^,()\n]{1,40}),\s{0,3}|(?:hmac\.new|Fernet)\()b?['"])([^'"\n]{6,200})/g,
    needs: ['jwt.', 'mac', 'Fernet('],
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'bytes as Go prints them',
    pattern: new RegExp(`((?:${certain})["']?:\\s?(?:\\[\\](?:uint8|byte)\\{|\\[))[\\dxa-fA-F, ]{4,4000}`, 'g'),
    needs: ['[]uint8{', '[]byte{', ':['],
  },
  {
    what: 'an XML element: by its own name, by one in its attributes or before it',
    pattern: new RegExp(
      `(<[\\w:.-]{0,60}(?:${certain})(?:\\s[^<>]{0,200})?>(?:<!\\[CDATA\\[)?|<[\\w:.-]{1,60}\\s[^<>]{0,100}?(?:name|key|id)=["'][\\w:.-]{0,80}?(?:${certain})["'][^<>]{0,100}>|<name>[\\w:.-]{0,80}?(?:${certain})</name>\\s{0,40}<value>)([^<>]{1,500})(?=</|]]>)`,
      'gi',
    ),
    needs: ['<'],
    keep: (whole, before = '', text = '') => (isHarmless(text.trim()) ? whole : `${before}${mark}`),
  },
  {
    what: 'a variable and its value with a space between: DB_PASSWORD hunter2',
    pattern:
      /((?<![A-Za-z0-9_$])[A-Z][A-Z0-9_]{1,60}(?<=PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW|SECRET|TOKEN|_KEY|_KEY_BASE) {1,3}["']?)([^\s"',;:()<>]{6,300})/g,
    needs: ['PASS', 'PW', 'SECRET', 'TOKEN', '_KEY'],
    keep(whole, before = '', text = '') {
      const name = before.replace(/[ "']+$/, '');
      const secret = namesSecret(name) ? looksMadeUp(text, 6) : looksDrawn(text, 8) && namesKey(name);
      return secret ? `${before}${mark}` : whole;
    },
  },
];
