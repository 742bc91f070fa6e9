/** Values of a secret's name that are prose or nothing: `password: incorrect`, `token = null`. */
const harmless =
  /^(?:null|nil|none|undefined|true|false|yes|empty|missing|required|invalid|incorrect|wrong|expired|revoked|rejected|not|no|is|was|must|too|the|a|an|for|of|in|at|on|and|or|to|from|with|authentication|mismatch|denied|unknown|unset|set|error|failed|failure|ok|changed|updated|redacted|hidden|masked|n\/a|\*+|x{3,}|<[a-z _-]*>?|\[[a-z_-]*\]?|\$[{(]{0,2}[\w.:-]*[)}]{0,2}|\{\{.*|%[sdvqr]|%[({]\w+[)}]s?)$/i;
/** `secret="shop/db"`: structured Kubernetes logs name objects this way. */
const objectName = /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/;
/** Times, versions, addresses in memory, file names: what has letters and digits and is no secret. */
const everyday =
  /^(?:\d{1,4}[-/.:]\d.*|v?\d+(?:[.-]\w+)*|v\d\w*|0x[0-9a-f]+|[\w.-]+\.(?:go|js|ts|py|rb|rs|java|txt|ya?ml|json|pem|crt|log|conf|env)\b.*|\d+(?:ms|[smhd]|[kmg]i?b?)|\/.*|[a-z]+:\/\/.*|sha\d+:.*)$/i;

/** Whether a value could be a secret at all. */
export function isHarmless(value: string): boolean {
  return value === '' || harmless.test(value);
}

/** Whether it is the name of an object in a namespace. */
export function isObjectName(value: string): boolean {
  return objectName.test(value);
}

/** Whether a single word in prose looks like something a machine or a careful person made up. */
export function looksMadeUp(value: string, leastChars: number): boolean {
  return (
    value.length >= leastChars &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !isHarmless(value) &&
    !isObjectName(value) &&
    !everyday.test(value)
  );
}

/** Whether a long run of base64 is one rather than a path or a hexadecimal digest: all kinds of characters, well mixed. */
export function isRandomBase64(run: string): boolean {
  const count = (kind: RegExp): number => run.match(kind)?.length ?? 0;
  return count(/[A-Z]/g) >= 8 && count(/[a-z]/g) >= 8 && count(/\d/g) >= 3 && count(/\//g) * 8 <= run.length;
}
