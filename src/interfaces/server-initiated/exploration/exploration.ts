import { isAttended } from '../../../engine/drive/drive.ts';
import type { Link } from '../../../explore/chains/link.ts';
import {
  type ExplorationGround,
  interleaved,
  type MakeProbes,
  seedOfRound,
  type Wanted,
} from '../../../explore/exploration.ts';
import type { Probe } from '../../../explore/probe.ts';
import { latencyOf } from '../../../model/declared.ts';
import type { Target } from '../../../model/target.ts';
import { byteProbes } from './bytes.ts';
import { partsOf } from './factors.ts';
import { linksFor, listedProbes } from './listed.ts';
import { memberProbes, type MembersGround } from './members.ts';
import { pairProbes } from './pairs.ts';
import { pointsOf } from './points.ts';
import { raceProbes } from './races.ts';
import { sequenceProbes } from './sequences.ts';
import { historyProbes } from './histories/histories.ts';
import { windowProbes } from './moment-rows.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';
import { valueProbes } from './values.ts';
import { variedProbes } from './varied.ts';
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
    can,
    runs,
    silent:
      supports['silent-authorization'] !== false &&
      clients.some(({ name, flags }) => name === 'privileged' && flags['silent_authorization_enabled'] === true),
    latency: { event, callback, simSwap },
  };
}

/** A listed case that runs where the target has the endpoint. */
const listedFor: Readonly<Record<string, string>> = {
  userinfo: 'userinfo-without-a-token',
  usertrait: 'plain-query',
  token: 'code-again',
  discovery: 'discovery-of-no-carrier/absent',
};

/** Request objects of one sequence, about. */
const perSequence = 8;
const perRace = 4;

/** How the requests of members are shared out: to combinations and deviations, to pairs, and to listed cases with other values. */
const ofMembers = { combined: 0.5, pairs: 0.2, varied: 0.3 };

/** What pairs of requests need (§2.3, SEC-35): a tag of a subscriber, or whether an SP may name users by number. */
function hasFor({ subscribers, clients }: Target): (need: string) => boolean {
  const flagged = (client: string, flag: string): boolean =>
    clients.some(({ name, flags }) => name === client && flags[flag] === true);
  const others: Readonly<Record<string, boolean>> = {
    '': true,
    enum: flagged('privileged', 'enum_enabled'),
    'no enum': !flagged('main', 'enum_enabled'),
  };
  return (need) => others[need] ?? subscribers.some(({ tags }) => tags.includes(need));
}

/** Requests that no suite lists, of the members and values that the suites have (§2 to §8). */
export const serverInitiatedProbes: MakeProbes = (ground, { seed, round, strength, requests }) => {
  const { suites, target, runs } = ground;
  const points = pointsOf(suites).filter((point) => runs(point.case.id));
  const parts = partsOf(points, target, runs);
  const abilities = abilitiesOf(ground);
  const deviations = points.filter(
    ({ outcome, case: { client, receiver } }) => outcome !== 'accepted' && client === 'main' && receiver.length === 0,
  );
  const { values = 0, bytes = 0, sequences = 0, races = 0, volume = 0 } = requests;
  const own = seedOfRound({ seed, round });
  const links = linksFor(ground);
  const has = hasFor(target);
  const serves = (endpoint: string): boolean => runs(listedFor[endpoint] ?? '');
  const byNumber = has('enum') && has('unenrolled');
  return interleaved(
    [
      ...probesOfMembers({ parts, points, abilities, links, has }, { seed, round, strength, requests }),
      valueProbes({ seed, round }, values, { abilities, serves, byNumber }),
      byteProbes({ seed, round }, bytes, { ...abilities, serves }),
      windowProbes(own, sequences * 0.3, abilities),
      historyProbes(own, sequences * 0.25, { abilities, parts, deviations }),
      sequenceProbes(own, Math.round((sequences * 0.15) / perSequence), { parts, deviations, abilities }),
      ...listedProbes(own, { sequences: sequences * 0.3, volume: volume / 10 }, { ...ground, links }),
      raceProbes(own, Math.round(races / perRace), abilities),
      volumeProbes({ seed: own, round }, (volume * 9) / 10, { deviations, abilities }),
    ],
    own,
  );
};

interface OfMembers extends MembersGround {
  readonly links: readonly Link[];
  readonly has: (need: string) => boolean;
}

/** Combinations and deviations, pairs of requests, and listed cases with other values. */
function probesOfMembers(
  { links, has, ...ground }: OfMembers,
  { seed, round, strength, requests: { members = 0 } }: Wanted,
): readonly (readonly Probe[])[] {
  if (members === 0) return [];
  const own = seedOfRound({ seed, round });
  const { parts, points, abilities } = ground;
  return [
    memberProbes(ground, { seed: own, strength, requests: members * ofMembers.combined }),
    pairProbes(own, { parts, points, requests: members * ofMembers.pairs, has, denies: abilities.deny }),
    variedProbes({ seed, round }, members * ofMembers.varied, { links, parts }),
  ];
}
