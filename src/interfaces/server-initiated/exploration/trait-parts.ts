import type { JsonObject } from '../../../lib/json.ts';
import type { Part, Value } from './part.ts';

const value = (name: string, difference: JsonObject, more: Partial<Value> = {}): Value => ({
  name,
  difference,
  rule: 'UT-002',
  ...more,
});

const plain = value('as it is', {});

/** Parts of a SIM query, and values that leave it as good (§2.8). Whether other content types are read is open. */
const parts: readonly Part[] = [
  {
    id: 'members.correlation_id',
    values: [
      plain,
      value('without a correlation_id', { drop: ['correlation_id'] }),
      value('an empty correlation_id', { members: { correlation_id: '' } }),
      value('a correlation_id of one letter', { members: { correlation_id: 'Z' } }),
      value('a correlation_id of digits', { members: { correlation_id: '00123' } }),
    ],
  },
  {
    id: 'headers.content-type',
    values: [
      plain,
      value('a charset', { headers: { 'content-type': 'application/json; charset=utf-8' } }, { besideOnly: true }),
      value('a content type in capitals', { headers: { 'content-type': 'APPLICATION/JSON' } }),
      value('text/plain', { headers: { 'content-type': 'text/plain' } }, { besideOnly: true }),
      value('another JSON type', { headers: { 'content-type': 'application/vnd.x+json' } }, { besideOnly: true }),
    ],
  },
  {
    id: 'headers.accept',
    values: [
      plain,
      value('accept anything', { headers: { accept: '*/*' } }),
      value('no accept', { headers: { accept: null } }),
    ],
  },
  {
    id: 'members.x_conf',
    values: [plain, value('an unknown member', { members: { x_conf: [1] } }, { besideOnly: true })],
  },
];

/** The parts that a case says nothing of. What may be refused for itself stands beside what is refused anyway only. */
export function traitParts(steps: readonly JsonObject[]): readonly Part[] {
  const text = JSON.stringify(steps);
  return parts.filter(({ id }) => !text.includes(id.split('.').at(-1) ?? id));
}
