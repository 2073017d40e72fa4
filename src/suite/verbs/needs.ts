import { findAction } from '../../model/action.ts';
import type { Act, Difference, Step } from '../../model/suite.ts';

/** What sending a difference asks of the target. */
export function requiresOfDifference({ client, key }: Difference): readonly string[] {
  const named = key === undefined ? undefined : requiresOfKey[key];
  return [...(client === undefined ? [] : [`client:${client}`]), ...(named === undefined ? [] : [named])];
}

const requiresOfKey: Readonly<Record<string, string>> = {
  second: 'second-key',
  secret: 'secret',
  'of-second-client': 'client:second',
};

const pick = (client: string | undefined, key: string | undefined): Difference => ({
  ...(client === undefined ? {} : { client }),
  ...(key === undefined ? {} : { key }),
});

function requiresOfAwait({ what, client, subscriber }: Act & { verb: 'await' }): readonly string[] {
  return [
    ...(what === 'events' ? ['events', 'event-endpoint'] : []),
    ...(client === undefined ? [] : [`client:${client}`]),
    ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
  ];
}

/** What an act asks of the target: the actions it triggers, the registrations it uses. */
export function requiresOfStep({ act }: Step): readonly string[] {
  if (act.verb === 'trigger') {
    // What nobody can take back would be in the way of every case after it.
    const undo = findAction(act.action)?.undo;
    return [
      `action:${act.action}`,
      ...(undo === undefined ? [] : [`action:${undo}`]),
      ...(act.subscriber === undefined ? [] : [`subscriber:${act.subscriber}`]),
    ];
  }
  if (act.verb === 'await') return requiresOfAwait(act);
  if (act.verb === 'usertrait') {
    return ['usertrait', ...requiresOfDifference(pick(act.difference.client, act.difference.proof?.key))];
  }
  if (act.verb === 'sign') return requiresOfDifference(act.difference);
  if (act.verb === 'look') return ['action:look'];
  return act.verb === 'authorize' ? requiresOfDifference(act.difference) : [];
}

/** What reading a path asks of the target: `clients.second.client_id`, `subscriber.subs.second`. */
export function requirementOfPath([root, first, second]: readonly string[]): string | undefined {
  if (root === 'clients' && first !== undefined) return `client:${first}`;
  if (root === 'subscribers' && first !== undefined) return `subscriber:${first}`;
  return root === 'subscriber' && first === 'subs' && second !== undefined ? `client:${second}` : undefined;
}
