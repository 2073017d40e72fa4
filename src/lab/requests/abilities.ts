import { isAttendedDriver } from '../../engine/drive/drive.ts';
import { effectiveLatency } from '../../model/declaration.ts';
import type { ExplorationGround } from '../explore/exploration.ts';

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
  readonly swapSim: boolean;
  readonly tenure: boolean;
  readonly setFlag: boolean;
  readonly rotateKeys: boolean;
  /** Several requests may wait for one subscriber. */
  readonly severalPending: boolean;
  readonly secondClient: boolean;
  /** Longest times of these, in seconds. */
  readonly latency: Readonly<Record<'event' | 'callback' | 'simSwap', number>>;
}

export function findAbilities({ target, runs }: ExplorationGround): TargetAbilities {
  const { drivers, supports, clients, clock } = target;
  const can = (action: string): boolean => {
    const driver = drivers[action];
    return driver !== undefined && !isAttendedDriver(driver);
  };
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
    swapSim: events && can('swap-sim'),
    tenure: runs('plain-query'),
    setFlag: can('set-flag'),
    rotateKeys: can('rotate-keys'),
    severalPending: supports['several-pending'] !== false,
    secondClient: clients.some(({ name }) => name === 'second'),
    // A proof would have to be made with the key that the token is bound to.
    userinfo: runs('userinfo-without-a-token') && target.userinfoProof !== true,
    latency: { event, callback, simSwap },
  };
}
