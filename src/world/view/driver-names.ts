/** A shorter word is found in too many names. */
const fewestLetters = 3;

/** Parts of the names of drivers that tell nothing of who they are, the clouds among them: much on their Nodes is called like those. */
const usual: ReadonlySet<string> = new Set([
  'csi',
  'driver',
  'storage',
  'plugin',
  'k8s',
  'kubernetes',
  'aws',
  'amazonaws',
  'azure',
  'gke',
]);

/** The words of a name that tell who it is. */
export const wordsOf = (parts: readonly string[]): readonly string[] =>
  parts.flatMap((part) => part.split(/[-_]/)).filter((word) => word.length >= fewestLetters && !usual.has(word));

/** What a CSI driver and its agents may have in common by their names, best first: `ebs` of `ebs.csi.aws.com`, `longhorn` of `driver.longhorn.io`. */
export function wordsOfDriver(driver: string): readonly (readonly string[])[] {
  const labels = driver.toLowerCase().split('.');
  return [wordsOf(labels.slice(0, -2)), wordsOf(labels.slice(-2, -1))];
}
