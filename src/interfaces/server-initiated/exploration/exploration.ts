import { isAttended } from '../../../engine/drive/drive.ts';
import { type ExplorationGround, interleaved, type MakeProbes } from '../../../explore/exploration.ts';
import { latencyOf } from '../../../model/declared.ts';
import { byteProbes } from './bytes.ts';
import { partsOf } from './factors.ts';
import { listedProbes } from './listed.ts';
import { memberProbes } from './members.ts';
import { pairProbes } from './pairs.ts';
import { pointsOf } from './points.ts';
import { raceProbes } from './races.ts';
import { sequenceProbes } from './sequences.ts';
import { historyProbes } from './histories/histories.ts';
import { windowProbes } from './moment-rows.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';
import { valueProbes } from './values.ts';
import { volumeProbes } from './volume.ts';

/** What the target can do without a person, as its file says it. */
function abilitiesOf({ target, runs }: ExplorationGround): SessionAbilities & ServiceAbilities {
  const { drivers, supports, clients, clock } = target;
  const can = (action: string): boolean => {
    const driver = drivers[action];
    return driver !== undefined && !isAttended(driver);
  };
  const { event, callback, sim_swap: simSwap } = latencyOf(target);
  const events = supports['events'] !== false && clients.some(({ name, eventUri }) => name === 'main' && eventUri);
  return {
    approve: can('approve'),
    deny: can('deny'),
    look: can('look'),
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
    userinfo: runs('userinfo-without-a-token'),
    can,
    runs,
    silent: clients.some(({ name, flags }) => name === 'privileged' && flags['silent_authorization_enabled'] === true),
    latency: { event, callback, simSwap },
  };
}

/** A listed case that runs where the target has the endpoint. */
const listedFor: Readonly<Record<string, string>> = {
  userinfo: 'userinfo-without-a-token',
  usertrait: 'plain-query',
  token: 'code-again',
};

/** Request objects of one sequence, about. */
const perSequence = 8;
const perRace = 4;

/** Requests that no suite lists, of the members and values that the suites have (§2 to §8). */
export const serverInitiatedProbes: MakeProbes = (ground: ExplorationGround, { seed, strength, requests }) => {
  const { suites, target, runs } = ground;
  const points = pointsOf(suites).filter((point) => runs(point.case.id));
  const parts = partsOf(points, target, runs);
  const abilities = abilitiesOf(ground);
  const deviations = points.filter(
    ({ outcome, case: { client, receiver } }) => outcome !== 'accepted' && client === 'main' && receiver.length === 0,
  );
  const hasSubscriber = (tag: string): boolean => target.subscribers.some(({ tags }) => tags.includes(tag));
  const { members = 0, values = 0, bytes = 0, sequences = 0, races = 0, volume = 0 } = requests;
  return interleaved(
    [
      members === 0 ? [] : memberProbes({ parts, points, abilities }, { seed, strength, requests: (members * 4) / 5 }),
      members === 0 ? [] : pairProbes(parts, seed, { count: members / 5, has: hasSubscriber, denies: abilities.deny }),
      valueProbes(seed, values, abilities),
      byteProbes(seed, bytes, { ...abilities, serves: (endpoint) => runs(listedFor[endpoint] ?? '') }),
      windowProbes(seed, sequences * 0.3, abilities),
      historyProbes(seed, sequences * 0.2, abilities),
      sequenceProbes(seed, Math.round((sequences * 0.2) / perSequence), { parts, deviations, abilities }),
      ...listedProbes(seed, { sequences: sequences * 0.3, volume: volume / 10 }, ground),
      raceProbes(seed, Math.round(races / perRace), abilities),
      volumeProbes(seed, (volume * 9) / 10, { deviations, abilities }),
    ],
    seed,
  );
};
