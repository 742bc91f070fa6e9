const gibibyte = 2 ** 30;

/** `3.9 CPU`, `15.4 GiB of memory`. `size`: cores or bytes. */
export function amount(resource: 'CPU' | 'memory', size: number): string {
  return resource === 'CPU'
    ? `${Number(size.toFixed(size < 1 ? 2 : 1))} CPU`
    : `${Number((size / gibibyte).toFixed(1))} GiB of memory`;
}
