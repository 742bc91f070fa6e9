/**
 * The host that an image reference begins with, `''` where it names none, by the rule every runtime follows
 * (distribution/reference, `splitDockerDomain`): the part before the first slash is a host when it holds a dot or a colon, is
 * `localhost` or has a capital.
 */
function hostIn(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  return /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase() ? first : '';
}

/** The registry an image reference names; Docker Hub where it names none. */
export function registryHost(image: string): string {
  const host = hostIn(image);
  if (host === '' || host === 'index.docker.io' || host === 'registry-1.docker.io') return 'docker.io';
  return host.toLowerCase();
}

/** The repository in an image reference, without its registry, tag and digest: `shop/api` of `ghcr.io/shop/api:1.0`. */
export function repositoryOf(image: string): string {
  const host = hostIn(image);
  return (host === '' ? image : image.slice(host.length + 1)).replace(/[:@].*$/, '');
}
