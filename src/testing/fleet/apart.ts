import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../journal/read-result.ts';
import type { Result } from '../../model/result.ts';
import type { Fleet, Member } from './draw.ts';
import { marks } from './identity.ts';

/** Everything that has the shape of what tells carriers of a fleet apart. */
const shape =
  /(?<![\dA-Za-z])(?:Carrier \d\d(?!\d)|9990\d\d-|fleet\d\d\.|\+8881\d\d|(?:127\.0\.0\.1|localhost):\d{2,5})/g;

const hostsOf = ({ ports }: Member): readonly string[] =>
  Object.values(ports).flatMap((port: number) => [`127.0.0.1:${port}`, `localhost:${port}`]);

const marksOf = (member: Member): readonly string[] => {
  const { number } = member;
  return [marks.name(number), `${marks.code(number)}-`, marks.client(number), marks.phone(number), ...hostsOf(member)];
};

/** What is in a text and belongs to another carrier of the fleet. */
export function strangersInText(text: string, member: Member, { members }: Fleet): readonly string[] {
  const foreign = new Set(members.filter((one) => one !== member).flatMap(marksOf));
  return [...new Set(text.match(shape))].filter((one) => foreign.has(one));
}

/** What is in the files of a folder and belongs to another carrier, as `file: mark`. */
export const strangersIn = (folder: string, member: Member, fleet: Fleet): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return strangersInText(text, member, fleet).map((mark) => `${name}: ${mark}`);
    });

export const resultIn = (out: string): Result => {
  const { result } = readResult(join(out, 'result.json'));
  return result;
};

/** Members of messages that are drawn for one request: in two results they would be of one. */
const drawnIds = /\\?"(?:correlation_id|auth_req_id|jti|state|nonce)\\?":\\?"([^"\\]{12,300})\\?"/g;
const traceIds = /\["x-request-id","([^"]+)"\]/gi;

/** The ids by which requests of a run are known: those of the cases' own requests, whatever the carrier made of them. */
export function idsIn(out: string): ReadonlySet<string> {
  const text = readFileSync(join(out, 'result.json'), 'utf8');
  return new Set([...text.matchAll(drawnIds), ...text.matchAll(traceIds)].map(([, id = '']) => id));
}

/** Ids that more than one of these folders has. */
export function sharedIds(outs: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const id of outs.flatMap((out) => [...idsIn(out)])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([id]) => id);
}
