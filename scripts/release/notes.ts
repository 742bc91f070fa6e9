/** What a changelog says of one version, for people who read of the release. Throws where it says nothing. */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => section.split(/[\s(]/, 1)[0] === version);
  const text = found?.slice(found.indexOf('\n')).trim() ?? '';
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}: write "## ${version}" and what is new`);
  return `${text}\n`;
}
