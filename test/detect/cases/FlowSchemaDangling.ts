import type { RawObject } from '../../../src/model/raw-object.ts';
import { flowSchema } from '../../world/control-objects.ts';
import { at, condition } from '../../world/objects.ts';
import type { ReasonCases } from '../reason-cases.ts';

const dangling = (since: number): RawObject =>
  flowSchema('batch', 'batch-low', [condition('Dangling', 'True', since, 'NotFound')]);
const attached = (since: number): RawObject =>
  flowSchema('batch', 'batch-low', [condition('Dangling', 'False', since, 'Found')]);

export const cases: ReasonCases = {
  id: 'G18',
  edition: 'Pro',
  on: 'FlowSchema//batch',
  says: 'It sends requests to a priority level that does not exist (batch-low).',
  fires: {
    'a FlowSchema without its priority level': ({ put, wait }) => {
      put(at(10), dangling(at(10)));
      wait(at(11));
    },
  },
  quiet: {
    'both are made one after the other': ({ put, wait }) => {
      put(at(0), dangling(at(0)));
      wait(at(0, 30));
      put(at(0, 30), attached(at(0, 30)));
      wait(at(5));
    },
  },
  clears: {
    'the level is made': ({ put, wait }) => {
      put(at(0), dangling(at(0)));
      wait(at(2));
      put(at(3), attached(at(3)));
    },
  },
};
