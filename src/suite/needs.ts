import type { Difference, Step } from '../model/suite.ts';

/** What sending a difference asks of the target. */
export function needsOfDifference({ client, key }: Difference): readonly string[] {
  const named = key === undefined ? undefined : needsOfKey[key];
  return [...(client === undefined ? [] : [`client:${client}`]), ...(named === undefined ? [] : [named])];
}

const needsOfKey: Readonly<Record<string, string>> = {
  second: 'second-key',
  secret: 'secret',
  'of-second-client': 'client:second',
};

/** What an act asks of the target: the actions it triggers, the registrations it uses. */
export function needsOfStep({ act }: Step): readonly string[] {
  if (act.verb === 'trigger') return [`action:${act.action}`];
  if (act.verb === 'look') return ['action:look'];
  return act.verb === 'authorize' ? needsOfDifference(act.difference) : [];
}

/** What reading a path asks of the target: `clients.second.client_id`, `subscriber.subs.second`. */
export function needOfPath([root, first, second]: readonly string[]): string | undefined {
  if (root === 'clients' && first !== undefined) return `client:${first}`;
  if (root === 'subscribers' && first !== undefined) return `subscriber:${first}`;
  return root === 'subscriber' && first === 'subs' && second !== undefined ? `client:${second}` : undefined;
}
