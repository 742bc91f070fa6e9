import { list, object, required, text } from '../../model/schema.ts';

const name = (description: string) => text(description, { min: 1, max: 60, pattern: '^[^\\s].*$' });
const names = (description: string, type: 'set' | 'atomic') =>
  list(description, name('Name of a fact, as messages show it.'), { max: 30, type });

/** `spec.message` of an AlertProvider. */
export const ownWords = object('How messages read here.', {
  prefix: name('What titles begin with.'),
  facts: object('Facts of an incident.', {
    add: list(
      'Facts besides.',
      object(
        'A fact.',
        {
          name: required(name('What it is called.')),
          label: text('Label of the object whose value it is.', {
            min: 1,
            max: 317,
          }),
          value: text('Its value.', { min: 1, max: 200 }),
        },
        [{ rule: 'has(self.label) != has(self.value)', message: 'set exactly one of `label` and `value`' }],
      ),
      { max: 10, type: 'atomic' },
    ),
    leaveOut: names('Facts to leave out.', 'set'),
    order: names('Facts that stand first.', 'atomic'),
  }),
  timeZone: text(
    'Time zone of times in sentences; by default that of each reader in Slack and Discord, `app.timeZone` elsewhere.',
    { min: 1, max: 64 },
  ),
});
