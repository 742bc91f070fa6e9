/** What the scheduler says of Nodes on which something is used up (noderesources `fit.go`): `3 Insufficient cpu, 1 Too many pods`. */
const shortage = /\b(\d+) (?:Insufficient ([\w/-]+(?:\.[\w/-]+)*)|Too many (pods))/g;

/** The resource that most Nodes lack, by what the scheduler says; `undefined`: it is not for want of room. */
export function shortageIn(text: string): string | undefined {
  let most: { resource: string; nodes: number } | undefined;
  for (const [, nodes, resource = 'pods'] of text.matchAll(shortage))
    if (Number(nodes) > (most?.nodes ?? 0)) most = { resource, nodes: Number(nodes) };
  return most?.resource;
}
