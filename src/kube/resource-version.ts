/**
 * Whether a version is newer than another. Versions of one resource are numbers of any length (KEP-5504); whatever else a server
 * sends cannot be compared, and is newer than nothing.
 */
export function isNewer(version: string, than: string): boolean {
  if (!/^[1-9]\d*$/.test(version) || !/^[1-9]\d*$/.test(than)) return false;
  return version.length === than.length ? version > than : version.length > than.length;
}
