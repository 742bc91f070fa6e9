import { list, object, required, text } from '../../model/schema.ts';

const name = (description: string) => text(description, { min: 1, max: 60, pattern: '^[^\\s].*$' });
const names = (description: string, type: 'set' | 'atomic') =>
  list(description, name('Name of a fact, as messages show it.'), { max: 30, type });

/** `spec.message` of an AlertProvider. */
export const ownWords = object('How messages read here.', {
  prefix: name('What titles begin with, behind the severity in brackets.'),
  facts: object('The list of facts (container, image, owner) of an incident.', {
    add: list(
      'Facts besides.',
      object(
        'A fact.',
        {
          name: required(name('What it is called.')),
          label: text('Label of the object whose value it is; without the label there is no such fact.', {
            min: 1,
            max: 317,
          }),
          value: text('Its value, the same in each message.', { min: 1, max: 200 }),
        },
        [{ rule: 'has(self.label) != has(self.value)', message: 'set exactly one of `label` and `value`' }],
      ),
      { max: 10, type: 'atomic' },
    ),
    leaveOut: names('Facts that are left out, by name.', 'set'),
    order: names('Facts that stand first, in this order.', 'atomic'),
  }),
  timeZone: text(
    'Time zone of the times in sentences, such as Europe/Berlin; by default UTC. Fields for programs are not changed.',
    { min: 1, max: 64 },
  ),
});
