import { ownerIn } from '../../model/owner.ts';
import { isEverybody } from '../../model/people.ts';
import { joinPath } from '../../schema/path.ts';
import type { AlertConfigSpec } from '../alert-config.ts';
import type { Remark } from './remark.ts';

/** What of the table of owners asks for nobody although it looks as if it did. */
export function ownerRemarks({ contacts = {} }: NonNullable<AlertConfigSpec['owners']>): readonly Remark[] {
  return Object.entries(contacts).flatMap(([owner, products]): readonly Remark[] => {
    const path = joinPath('spec.owners.contacts', owner);
    const name = ownerIn(owner);
    const unnamed: readonly Remark[] =
      name === owner
        ? []
        : [
            {
              rule: 'NeverAsked',
              path,
              message: `\`${path}\`: no owner is called so${name === undefined ? '' : `; one that is written "${owner}" is called "${name}"`}: correct the name`,
            },
          ];
    return [...unnamed, ...everybodyIn(products, path)];
  });
}

/** Names at any depth that could ring everybody, which is never asked for. */
function everybodyIn(value: unknown, path: string): readonly Remark[] {
  if (typeof value === 'string')
    return isEverybody(value)
      ? [
          {
            rule: 'NeverAsked',
            path,
            message: `\`${path}\` is "${value}", which could ring everybody, so nobody is asked: name a person or a group`,
          },
        ]
      : [];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) =>
    everybodyIn(inner, joinPath(path, isList ? Number(key) : key)),
  );
}
