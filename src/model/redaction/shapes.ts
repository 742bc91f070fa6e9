import { mark, type Rule } from './rule.ts';
import { standsIn } from './stand-ins.ts';
import { isRandomBase64, looksDrawn, looksMadeUp } from './values.ts';

/** Labels of blocks that hold what nobody but their owner may know, of whatever kind: `USER NKEY SEED`, `OpenVPN Static key V1`. */
const privateKey = '(?:[A-Za-z0-9]{1,20} ){0,6}(?:PRIVATE|SECRET|SEED|Static key)(?: [A-Z0-9]{1,20}){0,3} ?-----?';
/** Where a message names the line that a file should begin with, no key follows. */
const noQuote = '(?![-"\'`])';
/** Blocks that everybody may read: certificates, public keys, signatures, parameters. */
const publicBlock =
  '-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}(?:CERTIFICATE|PUBLIC KEY|REQUEST|CRL|PARAMETERS|SIGNATURE|BLOCK)-----[\\sA-Za-z0-9+/=\\\\]{1,20000}-----END';

/** Private keys, also cut short at either end by a tail of a log, also with a prefix on every line. */
export const keyRules: readonly Rule[] = [
  {
    what: 'a private key',
    pattern: new RegExp(`----(?:-| )BEGIN ${privateKey}${noQuote}[\\s\\S]*?(?:-?----(?:-| )END ${privateKey}|$)`, 'g'),
    needs: ['---BEGIN ', '--- BEGIN '],
    keep: mark,
  },
  {
    what: 'the lines of a private key before its end, whatever the log put before each',
    pattern: new RegExp(`^[\\s\\S]*-----END ${privateKey}`),
    needs: ['-----END '],
    keep: (text) => blankTails(text),
  },
  {
    what: 'the end of a private key',
    pattern: new RegExp(`(?<![A-Za-z0-9+/=\\s\\\\])[A-Za-z0-9+/=\\s\\\\]+-----END ${privateKey}`, 'g'),
    needs: ['-----END '],
    keep: mark,
  },
  {
    what: 'the end of a private key, from the first character on',
    pattern: new RegExp(`^[A-Za-z0-9+/=\\s\\\\]+-----END ${privateKey}`),
    needs: ['-----END '],
    keep: mark,
  },
  {
    what: 'the private part of a key of PuTTY',
    pattern: /(Private-Lines: \d{1,3}(?:\r?\n|\\n))[\sA-Za-z0-9+/=\\]{1,8000}/g,
    needs: ['Private-Lines'],
  },
  {
    what: 'a line of a private key or another long value in base64',
    pattern: new RegExp(`${publicBlock}|(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/]{60,4096}={0,2}(?![A-Za-z0-9_-])`, 'g'),
    hint: hasLongRun,
    unless: (_, before) => identifies.test(before),
    keep: (run) => (isRandomBase64(run) && !isPublic(run) ? mark : run),
  },
];

/** Names of what is as long and as random as a key, and only says which it is: `x-amz-id-2`, `HostId`, a digest. */
const identifies =
  /(?:(?:[a-z]I|(?<![A-Za-z])[iI])[dD](?:-\d)?|(?:etag|digest|checksum|integrity|fingerprint|sha-?\d{1,3}))["'\]>]?\s{0,3}[:=-]?\s{0,3}["']?$/i;

/** Whether it is a block of PEM, a key in the form of SSH, or a certificate once more in base64: what everybody may know. */
function isPublic(run: string): boolean {
  if (run.startsWith('-') || /^AAAA[A-Z](?:3Nza|2Vj|[GWmn]Nr)/.test(run)) return true;
  // `-----BEGIN CER`, and nowhere `PRIVATE` at any of its three alignments.
  return run.startsWith('LS0tLS1CRUdJTiBDRVJ') && !/UFJJVkFUR|BSSVZBVE|QUklWQVRF/.test(run);
}

/** Shortest run of base64 that is taken for a key. */
const leastRun = 60;
const ofBase64 = /[A-Za-z0-9+/]/;

/** Whether there is a run that long: it holds one of every so many characters, so that few need to be looked at. */
function hasLongRun(text: string): boolean {
  for (let at = leastRun - 1; at < text.length; at += leastRun) {
    let [from, to] = [at, at];
    while (from > at - leastRun && ofBase64.test(text.charAt(from))) from -= 1;
    if (from === at) continue;
    while (to < at + leastRun && ofBase64.test(text.charAt(to))) to += 1;
    if (to - from > leastRun) return true;
  }
  return false;
}

/** Lines of one key; the longest usual one (RSA, 8,192 bits) has 100. */
const maxKeyLines = 200;

/** Blanks out the base64 at the end of each line above an end of a key, as long as there is some. */
function blankTails(text: string): string {
  const lines = text.split('\n');
  for (const [end, line] of lines.entries()) {
    if (!line.includes('-----END ')) continue;
    for (let index = end - 1; index >= 0 && index >= end - maxKeyLines; index -= 1) {
      const blanked = lines[index]?.replace(/[A-Za-z0-9+/=]{16,80}(?=[^\S\n]*$)/, mark);
      if (blanked === undefined || blanked === lines[index]) break;
      lines[index] = blanked;
    }
  }
  return lines.join('\n');
}

/** What is said of a header rather than in it: `Bearer token malformed`, `Basic authentication required`. */
function isProse(gone: string): boolean {
  const said =
    /^\W*(?:(?:basic|bearer|digest|token|apikey|negotiate|ntlm|hmac)\s+)?(?:token|jwt|auth|authentication|authorization|scheme|header|credentials?|realm|error|method|type|format|prefix|challenge|is|was|not|must|missing|required|expected|expired|invalid|failed|malformed|rejected|denied)\b(?!-|\.\w)/i;
  return said.test(gone) && !gone.split(/[\s"',;=]+/).some((word) => looksMadeUp(word, 6));
}

/** Headers of HTTP, whole or dumped. */
export const headerRules: readonly Rule[] = [
  {
    what: 'Authorization with parameters, in a line of its own',
    pattern: /(authorization\s{0,3}:\s{0,3})(?:digest|hmac|signature|hawk|oauth|aws4-hmac-sha256)\s[^\r\n]+/gi,
    needs: ['authorization'],
    unless: isProse,
  },
  {
    // Digest and AWS values hold spaces and commas: everything to the closing quote or the end of the line goes, with what is quoted
    // after a name on the way there.
    what: 'Authorization',
    pattern:
      /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\[?\\{0,3}["']?)(?:(?:basic|bearer|digest|token|apikey|negotiate|ntlm|splunk|genie-?key|ssws|hmac|aws4-hmac-sha256)\s(?:\\{0,3}["'])?[^\r\n"'\\]+(?:(?<=[:=]\s{0,3})\\{0,3}["'][^\r\n"'\\]*\\{0,3}["'][^\r\n"'\\]*){0,20}|(?=[^\s"',;]{0,200}\d)[^\s"',;\\]{8,})/gi,
    needs: ['authorization'],
    unless: isProse,
  },
  {
    // A scheme of somebody's own: what follows a word and is no word.
    what: 'Authorization by a scheme that no list knows',
    pattern:
      /((?:[Aa]uthorization|AUTHORIZATION)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?[A-Z][\w-]{1,30}\s)([^\s"',;\\]{12,400})/g,
    needs: ['uthorization', 'UTHORIZATION'],
    keep: (whole, before = '', text = '') => (looksDrawn(text, 12) ? `${before}${mark}` : whole),
  },
  {
    what: 'the signature of a webhook: Stripe-Signature: t=…,v1=…, X-Hub-Signature-256: sha256=…',
    pattern:
      /(signature(?:-\d{1,3})?\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["']?(?:[a-z]{1,4}\d{0,3}=\d{1,12},)?[a-z]{1,4}\d{0,3}=)[\da-f]{32,128}/gi,
    needs: ['signature'],
  },
  {
    what: 'a header of which only its product knows that it is a key',
    pattern: /((?<![\w-])(?:x-honeycomb-team\\{0,3}["']?\s{0,3}[:=]\s{0,3}\[?\\{0,3}["']?|GenieKey ))[\w-]{16,80}/gi,
    needs: ['honeycomb', 'geniekey'],
  },
  {
    what: 'cookies',
    pattern:
      /(cookie\\{0,3}["']?\s{0,3}:\s{0,3}\[?\s{0,3}\\{0,3}["']?)(?!(?:samesite|path|domain|max-age)=[\w./-]{1,100}(?:\s|$))[^\s=;"':]{1,100}=[^\r\n"']+(?:(?<=[:=]\s{0,3})["'][^\r\n"']*["'][^\r\n"']*){0,20}/gi,
    needs: ['cookie'],
    unless: (gone) => standsIn(gone.replace(/^[^=;]+=/, '')),
  },
  {
    // The scheme alone, as in a dumped header value. Prose (`basic authentication`) has no inner capitals or digits.
    what: 'a bearer token',
    pattern: /(?<![A-Za-z])(bearer,?\s{1,3})(?:[\w.~+/=-]{16,}|(?=[^\s]{0,20}\d)[\w.~+/=-]{8,})/gi,
    needs: ['bearer'],
    // The next pair, or words with signs between them.
    unless: (gone) => /^[\w.-]+=[^=]/.test(gone) || /^[a-z]+(?:[-_.][a-z]+)+$/i.test(gone),
  },
  {
    what: 'basic authentication',
    pattern:
      /(?<![A-Za-z])([Bb]asic\s{1,3})(?=[A-Za-z0-9+/]{1,60}[A-Z0-9=+])(?=[A-Z0-9+/]{0,60}[a-z])[A-Za-z0-9+/]{8,}={0,2}/g,
    needs: ['asic'],
  },
  {
    // The base64 of `{"` and of `{ `, and that of the former: of a token that is encoded once more.
    what: 'a JSON Web Token',
    pattern: /(?<![\w-])(?:ey[JA][\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*|ZXlK[\w+/-]{40,}={0,2})/g,
    needs: ['eyJ', 'eyA', 'ZXlK'],
    keep: mark,
  },
  {
    what: 'JSON in base64: the cookie of a session, the login to a registry, a token of a tunnel',
    pattern: /(?<![\w+/.-])(?:[a-z]{2,8}_)?eyJ[\w+/-]{37,}(?:={1,2}|(?:%3[Dd]){1,2})?(?![\w+/])/g,
    needs: ['eyJ'],
    unless: (_, before) => goesOn.test(before),
    keep: (whole) => (saysWhat.test(textOf(whole)) ? whole : mark),
  },
];

/** Where to go on in a list, the map of a source, what was signed: JSON in base64 that opens nothing. */
const goesOn =
  /(?:(?:continu(?:e|ation)|cursor|next|page|start(?:ing)?|after|before|offset|resume|sync|marker|bookmark|scroll|payload|body|digest)[-_ ]?(?:token|key|id)?(?:\\{0,3}["'])?\s?(?:[:=]|%3[Dd])\s?(?:\\{0,3}["'])?|base64,)$/i;

/** How such JSON begins: a continuation of Kubernetes, a map of a source, a statement or an entry of a log of signatures. */
const saysWhat = /^\{\s?"(?:v":"meta\.k8s|version":3|_type|apiVersion|kind|mappings|payloadType|offset|cursor|page)/;

/** The beginning of what stands in base64. */
const textOf = (run: string): string =>
  atob(run.slice(run.indexOf('eyJ')).slice(0, 40).replace(/-/g, '+').replace(/_/g, '/'));
