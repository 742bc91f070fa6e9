/** What a container runtime says when an image does not come. */

/** `ghcr.io/acme/api:1` → host, repository and tag as the runtime resolves them. */
export function resolveImage(image: string): {
  readonly host: string;
  readonly repository: string;
  readonly tag: string;
} {
  const [first = '', ...rest] = image.split('/');
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const path = hasHost ? rest.join('/') : image;
  const [repository = '', tag = 'latest'] = path.split(':');
  const official = !hasHost && !repository.includes('/');
  return { host: hasHost ? first : 'docker.io', repository: official ? `library/${repository}` : repository, tag };
}

/** containerd's errors by the name a script gives them; other names are the text itself. */
export function pullFailure(image: string, name: string): string {
  const { host, repository, tag } = resolveImage(image);
  const reference = `${host}/${repository}:${tag}`;
  const registry = host === 'docker.io' ? 'registry-1.docker.io' : host;
  const manifest = `https://${registry}/v2/${repository}/manifests/${tag}`;
  const texts: Readonly<Record<string, string>> = {
    NotFound: `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
    Unauthorized: `failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
    RegistryUnreachable: `failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": failed to do request: Head "${manifest}": dial tcp: lookup ${registry}: no such host`,
  };
  return (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? name;
}
