/**
 * What looks drawn at random, by the characters alone, whatever it is called: letters that hardly follow each other in words and names, and
 * capitals, small letters and digits by turns.
 */

/** The pairs of letters that make up most of English, and of what programs and their parts are called by. */
const commonPairs: ReadonlySet<string> = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ' +
    'ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ' +
    'ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp ' +
    'rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew'
  ).split(' '),
);

/** Digests, identifiers and addresses are drawn as well, of hexadecimal digits alone, and no secret without a name that says so. */
const hexadecimal = /^(?:0x)?[\da-f:-]+$/i;

/** What two neighbours speak for: below zero for a name, above for chance. */
function evidence(left: string, right: string): number {
  const [a, b] = [left, right].map((one) => (/\d/.test(one) ? '0' : /[A-Z]/.test(one) ? 'A' : 'a'));
  if (a === '0') return b === '0' ? 0 : 1;
  if (b === '0') return 0.5;
  // A word in a row of words.
  if (a === 'A' && b === 'a') return 0;
  if (a === 'a' && b === 'A') return 0.5;
  return commonPairs.has((left + right).toLowerCase()) ? -1 : 1;
}

/** What each pair must speak for chance on average: a pair drawn of letters and digits does so by 0.3, one of a name by -0.5. */
const leastEvidence = 0.1;

/** Shorter values without a digit are abbreviations and words in capitals too often. */
const sureWithoutDigits = 24;

/** Whether a run of letters of one size reads like no word: most of its pairs are of no language. */
export function isUnreadable(letters: string): boolean {
  let sum = 0;
  for (let at = 1; at < letters.length; at += 1)
    sum += commonPairs.has(letters.slice(at - 1, at + 1).toLowerCase()) ? -1 : 1;
  return sum > 0;
}

/** Times as machines write them: `20261120T100000Z`. */
const time = /^\d{8}T\d{4,6}Z?$/;

/**
 * Whether a value of at least so many characters was drawn of capitals, small letters and digits, or of two of these kinds, rather than
 * named. Of those with 16 characters one in 50 is missed, of those with 32 one in 500; of the names of things in
 * sources and logs one in a thousand is taken for one.
 */
export function looksRandom(value: string, leastChars: number): boolean {
  const text = value.replace(/=+$/, '');
  if (text.length < leastChars || hexadecimal.test(text) || time.test(text)) return false;
  if (text.length < sureWithoutDigits && !/\d/.test(text)) return false;
  const kinds = [/[A-Z]/, /[a-z]/, /\d/].filter((kind) => kind.test(text)).length;
  // Letters of one size and digits between signs: pods, hosts, versions, `DHE-PSK-AES128-CCM`.
  if (kinds < 2 || (/[^A-Za-z\d]/.test(text) && !(/[A-Z]/.test(text) && /[a-z]/.test(text)))) return false;
  let sum = 0;
  let pairs = 0;
  for (const part of text.match(/[A-Za-z\d]{2,}/g) ?? [])
    for (let at = 1; at < part.length; at += 1) {
      sum += evidence(part.charAt(at - 1), part.charAt(at));
      pairs += 1;
    }
  return pairs >= leastChars / 2 && sum >= pairs * leastEvidence;
}
