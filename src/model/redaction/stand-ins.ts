/**
 * What stands where a secret would and is none: what somebody masked already, what only refers to a value that is kept elsewhere, and the
 * word of a manual. It tells whoever is woken how the program is configured, so it stays, whichever rule found it.
 */

const maskingWords =
  '(?:redacted|hidden|masked|filtered|removed|omitted|scrubbed|obfuscated|saniti[sz]ed|censored|suppressed|concealed|protected|stripped|sensitive)';

/** `xxxxx`, `**`, `•••`, `<redacted>`, `[FILTERED]`, `--hidden--`, `(sensitive value)`, and the last characters behind a mask: `****1234`. */
const masks: readonly RegExp[] = [
  /^(?:[*•●#_.…-]+|x{3,}|X{3,})$/,
  /^(?:\*{4,}|[•●]{2,}|[xX]{6,})\w{1,4}$|^\w{1,4}(?:\*{4,}|[•●]{3,})\w{0,4}$/,
  /^(?:<[A-Za-z][A-Za-z_ .:'/-]*>?|\[[A-Za-z][A-Za-z_ -]*\]?|\([a-z][A-Za-z_ -]*\)?)$/,
  // Behind the name that it belongs to.
  /^[\w.-]{1,64}[:/]\*{3}$/,
  // In braces, of what it is to be replaced by; in angle brackets, in what it is to be written; with what is said of it behind.
  /^\{(?:[a-z]+[-_ ])*(?:token|password|pass|passphrase|secret|key|jwt|credentials?)\}$/i,
  /^<(?:base64|b64|hex|jwt|sha\d+)(?:[^<>\w][^<>]{0,60})?>?$/i,
  new RegExp(`^(?:[*_-]{0,4}${maskingWords}[*_-]{0,4}|[<[({*_-]{1,4}${maskingWords}[^"']{0,60})$`, 'i'),
];

/** Names that code keeps settings under: `process.env.X`, `var.db_password`. */
const holders =
  '(?:process\\.env|os\\.environ|import\\.meta\\.env|var|local|data|module|secrets|vars|env|inputs|settings|config|values|options|opts|args|params|props|self|this|ctx|random_password|\\.Values)';

/** A variable, a placeholder of a template, a parameter of a statement, an entry of a store. One with a default holds that. */
const references: readonly RegExp[] = [
  /^\$(?:\d{1,3}|[A-Z_][A-Z0-9_]*|[a-z][A-Za-z_]*)$/,
  /^\$\{(?:(?:env|file|secrets?|vault|ssm|sys|sops|directory|securevault|[a-z]+Vault):[^}]*|[\w.[\]-]*(?::-?|:\?[^}]*)?)\}?$/,
  /^\$\((?!echo|printf)[^)]*\)?$/,
  /^\$?\{\{.*$|^<%.*$|^[#%]\{.*$/,
  /^%(?:[sdvqr]|\(\w+\)s?|[A-Z_][A-Z0-9_]*%)$|^\?$|^:[a-z]+(?:_[a-z]+)*$|^@p\d{1,2}$|^@[A-Za-z_.]+@$/i,
  /^@(?:[a-z]+_?)?(?:password|pwd|passwd|token|secret|key|hash)$/i,
  new RegExp(`^${holders}(?:\\.[A-Za-z_][\\w.]*|\\[?)$`),
  /^(?:ref\+[a-z0-9]+|op|vault|secretsmanager|ssm|akv|keyvault|awssm|gcpsm|bws):\/{0,3}[A-Za-z][\w.-]*(?:[/#:]\w[\w.-]*)+$/,
  /^env:[A-Z_][A-Z0-9_]*$|^arn:aws[\w-]*:(?:secretsmanager|ssm|kms):|^projects\/[\w-]+\/secrets\//,
  /^!(?:vault|ref|sub|getatt|importvalue|reference|env|secret)$/i,
  // What is encrypted, for who has the key.
  /^(?:ENC[[(]|\{cipher\}|vault:v\d+:|\$ANSIBLE_VAULT;)/,
  // What is called to get it, or where it is taken from.
  /^(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*[[(]$/,
  /^(?:[a-z_]\w*\.)*(?:get|fetch|read|load|lookup|resolve|decrypt|env|getenv)[A-Za-z_]*\($/,
];

/** What a manual writes for it: `--token TOKEN`, `YOUR_API_KEY`, `your-token-here`. */
const metavariables: readonly RegExp[] = [
  /^(?:[A-Z]+[_-])*(?:PASSWORD|PASSWD|PASS|PWD|PASSPHRASE|TOKEN|SECRET|KEY|APIKEY|CREDENTIALS?|VALUE|STRING|TEXT)$/,
  /^(?:your|insert|enter|put)[-_]?[a-z_-]+$/i,
];

/** Words that sentences need and names and phrases to remember do not. */
const functionWords =
  /^(?:must|should|cannot|can't|can|may|might|will|would|shall|needs?|has|have|had|be|been|is|are|was|were|does|did|do|not|no|at|least|most|than|the|a|an|of|for|to|in|on|by|with|without|from|as|and|or|if|when|only|this|that|these|it|its|your|you|please|put|here|too|expected|required|invalid|between|contain|contains|characters|longer|shorter|more|field|value)$/i;

/** Whether it is said of a secret rather than one: at least three words, and two of those that only sentences have. */
function isSentence(text: string): boolean {
  const words = text.split(/[ \u00a0]+/);
  if (
    words.length < 3 ||
    !words.every((word) => /^(?:[("'`]*[A-Za-z][A-Za-z'’-]*[)"'`]*[.,:;!]?|\d{1,4}[.,]?)$/.test(word))
  )
    return false;
  return words.filter((word) => functionWords.test(word.replace(/[^A-Za-z']/g, ''))).length >= 2;
}

/** A placeholder in brackets, and words behind it: `<token> header is required`. */
const saidOfPlaceholder =
  /^((?:<[A-Za-z][^<>]{0,60}>|\{[a-z_ -]{3,40}\}|\[[a-z_ -]{3,40}\]))(?:[\s,;:.'")]{1,4}[A-Za-z-]{1,20}){1,20}[\s.,;'")]*$/;

const all: readonly RegExp[] = [...masks, ...references, ...metavariables];
/** Nothing of these is longer. */
const maxChars = 200;

/** Whether a value only stands in for a secret, as it is, in quotes, before a comma, or behind the scheme of a header. */
export function standsIn(value: string): boolean {
  if (value.length > maxChars) return false;
  const bare = value.replace(/^[\s\\"'`]+|[\s\\"'`,;]+$/g, '').replace(/^(?:basic|bearer|token|apikey) +/i, '');
  // What a shell runs to get it: `TOKEN=`cat …``.
  if (/^`[a-z]+$/.test(value)) return true;
  const forms = [bare, bare.replace(/[)\]}>.,:;!?]+$/, ''), saidOfPlaceholder.exec(bare)?.[1] ?? bare];
  if (isSentence(bare)) return true;
  return forms.some((form) => all.some((pattern) => pattern.test(form)));
}
