import { isAttendedDriver } from '../../engine/drive/drive.ts';
import type { ExplorationGround } from '../explore/exploration.ts';
import { effectiveLatency } from '../../model/declaration.ts';

/** Actions that the target does without a person, and its features. */
export interface TargetAbilities {
  readonly approve: boolean;
  readonly deny: boolean;
  readonly look: boolean;
  /** Access tokens show the key that they are bound to. */
  readonly binding: boolean;
  readonly userinfo: boolean;
  /** The user may take scopes off the list (§2.6 scope). */
  readonly untick: boolean;
  /** Waiting costs nothing: the clock is virtual. */
  readonly wait: boolean;
  readonly cancel: boolean;
  readonly consent: boolean;
  readonly moveSim: boolean;
  readonly rotateKeys: boolean;
  /** Several requests may wait for one subscriber. */
  readonly severalPending: boolean;
  readonly secondClient: boolean;
  /** The target says how many requests may wait (SEC-46). */
  readonly floods: boolean;
  /** An SP may authorize silently. */
  readonly silent: boolean;
  readonly codes: boolean;
  readonly proofs: boolean;
  readonly swapSim: boolean;
  readonly hintToken: boolean;
  /** The code of another carrier, for discovery. */
  readonly foreignCode: boolean;
  /** The privileged SP, and the main one, may name users by number. */
  readonly byNumber: boolean;
  readonly byNumberOfMain: boolean;
  /** Longest times of these, in seconds. */
  readonly latency: Readonly<Record<'event' | 'callback' | 'simSwap', number>>;
  readonly tagged: (tag: string) => boolean;
  /** Whether the action needs no person. */
  readonly can: (action: string) => boolean;
  readonly runs: (id: string) => boolean;
}

export function findAbilities({ target, runs }: ExplorationGround): TargetAbilities {
  const { drivers, supports, clients, subscribers, clock } = target;
  const can = (action: string): boolean => {
    const driver = drivers[action];
    return driver !== undefined && !isAttendedDriver(driver);
  };
  const hasFlag = (client: string, flag: string): boolean =>
    clients.some(({ name, flags }) => name === client && flags[flag] === true);
  const { event, callback, sim_swap: simSwap } = effectiveLatency(target);
  const events = supports['events'] !== false && clients.some(({ name, eventUri }) => name === 'main' && eventUri);
  return {
    approve: can('approve'),
    deny: can('deny'),
    look: can('look'),
    untick: supports['partial-approval'] !== false && runs('scope-without-what-was-unticked'),
    binding: runs('token-bound-to-referred-key') && supports['referred-binding'] !== false,
    wait: clock !== undefined,
    cancel: supports['cancel'] !== false && supports['cancel-payload'] !== false,
    consent: can('remove-consent') && can('give-consent'),
    moveSim: events && can('move-sim'),
    rotateKeys: can('rotate-keys'),
    severalPending: supports['several-pending'] !== false,
    secondClient: clients.some(({ name }) => name === 'second'),
    codes: can('issue-code') && runs('code-again'),
    proofs: runs('proof-replayed'),
    swapSim: can('swap-sim'),
    hintToken: can('issue-login-hint-token') && supports['login-hint-token'] !== false,
    foreignCode: runs('discovery-of-another-carrier'),
    // A proof would have to be made with the key that the token is bound to.
    userinfo: runs('userinfo-without-a-token') && target.userinfoProof !== true,
    floods: runs('hundred-pending-requests'),
    silent: supports['silent-authorization'] !== false && hasFlag('privileged', 'silent_authorization_enabled'),
    byNumber: hasFlag('privileged', 'enum_enabled'),
    byNumberOfMain: hasFlag('main', 'enum_enabled'),
    latency: { event, callback, simSwap },
    tagged: (tag) => subscribers.some(({ tags }) => tags.includes(tag)),
    can,
    runs,
  };
}
