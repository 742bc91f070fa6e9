import type { Ref } from '../../model/ref.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

const configurations = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

/** The Services that answer for webhooks, by the names of these. */
const servicesOf = once((world): ReadonlyMap<string, Ref> => {
  const found = new Map<string, Ref>();
  for (const kind of configurations)
    for (const view of world.all(kind))
      if ('webhooks' in view)
        for (const { name, service } of view.webhooks) if (service !== undefined) found.set(name, service);
  return found;
});

/** The Service behind the webhook that a text says to have refused an object. */
export function denierIn(text: string, world: ObservedWorld): readonly Ref[] {
  const [, name] = /admission webhook "([^"]{1,253})" denied the request/.exec(text) ?? [];
  const service = name === undefined ? undefined : servicesOf(world, 0).get(name);
  return service === undefined ? [] : [service];
}
