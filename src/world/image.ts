/**
 * The registry an image reference names, by the rule every runtime follows (distribution/reference, `splitDockerDomain`):
 * the part before the first slash is a host when it holds a dot or a colon, is `localhost` or has a capital; else Docker Hub.
 */
export function registryHost(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  if (!isHost || first === 'index.docker.io' || first === 'registry-1.docker.io') return 'docker.io';
  return first.toLowerCase();
}
