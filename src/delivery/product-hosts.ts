import { providers } from '../providers/registry.ts';

/** A host, or several: `*.` at the beginning is any names below, `.*.` is one. */
function patternOf(host: string): string {
  return host.replaceAll('.', '\\.').replace(/^\*/, '.+').replaceAll('*', '[a-z\\d-]+');
}

const isOfProduct = new RegExp(`^(?:${providers.flatMap(({ hosts = [] }) => hosts.map(patternOf)).join('|')})$`);

/** Whether a host belongs to a product and to no customer of it: whoever sends there has not chosen where it leads. */
export function isProductHost(host: string): boolean {
  return isOfProduct.test(host.toLowerCase().replace(/\.$/, ''));
}
