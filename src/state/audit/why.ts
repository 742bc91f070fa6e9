import { UnfitFile } from './audit-file.ts';

/** System error → what is wrong, and what to do about it: a sentence's end. */
const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the volume is full: make room on it or take a larger one',
  EDQUOT: 'the quota of the volume is used up: make room or raise it',
  EROFS: 'the file system is read-only: choose a path on a volume that can be written, such as /var/lib/tocsin',
  EACCES: 'it may not be written: give the volume to the group of the Pod (`fsGroup`)',
  EPERM: 'it may not be written: give the volume to the group of the Pod (`fsGroup`)',
  ENOENT: 'its folder does not exist: mount a volume there, or choose a path in /var/lib/tocsin',
  ENOTDIR: 'what should be its folder is a file: choose another path',
  EISDIR: 'it is a folder: add a file name to the path',
  ELOOP: 'it is a symbolic link, which is not followed: name the file itself',
  ENAMETOOLONG: 'its name is too long: choose another path',
  ENXIO: 'it is no regular file: choose another path',
  EIO: 'the disk does not work: look at the volume and its node',
  EPIPE: 'nobody reads standard output any more',
};

/** Why lines cannot be written. */
export function whyUnwritten(error: unknown): string {
  if (error instanceof UnfitFile) return `${error.message}: choose another path`;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'an unknown error';
  return words[code] ?? `writing failed with ${code}`;
}
