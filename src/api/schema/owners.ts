import { list, object, type Properties, type Schema, table, text } from '../../model/schema.ts';
import { settingRows } from '../../model/setting-rows.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import type { Reach } from '../../providers/kit/people.ts';
import { providers } from '../../providers/registry.ts';

/** The longest name of somebody in a product, an address included. */
const maxPerson = 320;
/** Owners with ways to reach them. */
const maxContacts = 200;

const person = ({ description, pattern }: Reach) => text(description, { min: 1, max: maxPerson, pattern });
const several = (reach: Reach, says: string) => list(says, person(reach), { max: 5, type: 'set' });

/** How people are reached in one product. */
function contactOf({ product, reaches = {} }: AnyProvider) {
  const { mentions, channel, assignees, responders } = reaches;
  const ways: Properties = {
    ...(mentions && { mentions: several(mentions, 'Whom to mention when an incident opens, is back or is worse.') }),
    ...(channel && { channel: person(channel) }),
    ...(assignees && { assignees: several(assignees, 'Who gets the issue.') }),
    ...(responders && { responders: several(responders, 'Who is called.') }),
  };
  return object(`How they are reached in ${product}.`, ways);
}

/** One property for each type that can ask for somebody. */
const products: Readonly<Record<string, Schema<ContactOfType, false>>> = Object.fromEntries(
  providers.filter(({ reaches }) => reaches).map((definition) => [definition.type, contactOf(definition)]),
);

type ContactOfType = {
  readonly mentions?: readonly string[];
  readonly channel?: string;
  readonly assignees?: readonly string[];
  readonly responders?: readonly string[];
};

/** `spec.owners` of the AlertConfig. */
export const owners = object('Who answers for what fails.', {
  keys: list(
    'Labels and annotations that name an owner, in order; annotations end in `owner`, `owned-by`, `team` or `squad`. By default tocsin.dev/owner, backstage.io/owner, app.kubernetes.io/owner, owner, app.kubernetes.io/team, team.',
    text('A name such as tocsin.dev/owner.', {
      min: 1,
      max: 317,
      pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    }),
    { max: 20, type: 'atomic' },
  ),
  ...settingRows.owners,
  contacts: table(
    'Owner → type of AlertProvider → how to reach them there. Nobody else is asked for.',
    object('How an owner is reached, by the type of the AlertProvider.', products),
    { max: maxContacts },
  ),
});
