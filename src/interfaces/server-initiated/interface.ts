import type { RunnableInterface } from '../../engine/context/case-context.ts';
import { neutralVerbs } from '../../engine/neutral-verbs.ts';
import type { Area } from '../../model/interface.ts';
import { actions } from './actions.ts';
import { allowedLimits } from './allowed-limits.ts';
import { registeredErrors } from './checks/refusal.ts';
import { namedChecks } from './checks/table.ts';
import { discovery, endpoints, featureSigns, impliedFeatures } from './endpoints.ts';
import { eventKinds, unknownEventNames } from './event-kinds.ts';
import { cardFields, correlation, messages, secretMembers } from './messages.ts';
import {
  usualAttributes,
  interfaceScopes,
  launchScopes,
  undeclaredReason,
  unregisteredReason,
  refusalHints,
  clientRoles,
  targetRequirements,
} from './registration.ts';
import { narrowings } from './narrowings.ts';
import { timing } from './timing.ts';
import { tryRequest, type TrialClaims, isAcceptedResponse, featureTrials } from './trials/features.ts';
import { registrationTrials } from './trials/registration.ts';
import { tokenTrials } from './trials/tokens.ts';
import { authorize, sendRequest } from './verbs/authorize.ts';
import { differenceShape } from './verbs/difference.ts';
import { encrypt } from './verbs/encrypt.ts';
import { handshake } from './verbs/handshake.ts';
import { look } from './verbs/look.ts';
import { prepareRequest } from './verbs/proof.ts';
import { sign } from './verbs/sign.ts';
import { usertrait } from './verbs/usertrait.ts';

/** Table of contents of the interface, as far as rules come from it. */
const clauses: readonly (readonly [number: string, title: string])[] = [
  ['1', 'What the service does'],
  ['2.1', 'Server-initiated POST body'],
  ['2.2', 'JWT header of the request object'],
  ['2.3', 'Claims of the request object'],
  ['2.4', 'Immediate success response'],
  ['2.5', 'Immediate error response'],
  ['2.6', 'Callback body'],
  ['2.7', 'Decoded login_hint_token'],
  ['2.8', 'Usertrait request and response'],
  ['2.9', 'Discovery response'],
  ['2.10', 'Device-change event token'],
  ['2.11', 'User-info response'],
  ['2.12', 'SP configuration flags'],
  ['3', 'States and transitions'],
  ['4.1', 'Server-initiated authorization request'],
  ['4.2', 'Callback to the SP'],
  ['4.3', 'Token endpoint'],
  ['4.4', 'Server-initiated cancel endpoint'],
  ['4.5', 'Discovery issuer endpoint'],
  ['4.6', 'discovery_ui endpoint'],
  ['4.7', 'Usertrait query'],
  ['4.8', 'SP event endpoint'],
  ['4.9', 'User-info endpoint'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
];

/** Areas in the order of the interface; the baseline, from other standards, is last. */
const areas: readonly Area[] = [
  { name: 'server-initiated', families: ['FLOW', 'TRN', 'RSP', 'ERR'] },
  { name: 'request-object', families: ['HDR', 'REQ'] },
  { name: 'callback', families: ['CB'] },
  { name: 'events', families: ['EVT', 'CRV'] },
  { name: 'usertrait', families: ['UT'] },
  { name: 'discovery', families: ['DSC'] },
  { name: 'userinfo', families: ['UI', 'CFG'] },
  { name: 'tokens', families: ['TOK', 'CXL', 'LHT'] },
  { name: 'baseline', families: ['SEC'] },
];

/** Oldest iat and farthest exp that a carrier must accept, in seconds, less transit time (§2.3: 5 minutes). */
const maxIatAge = 295;
const maxExpAhead = 290;
const clockProbeObjectLife = 240;
/** Life in seconds, short because an accepted request waits on a phone. */
const clockProbeRequestLife = 60;

const edgeClaims: Readonly<Record<'past' | 'future', (time: number) => TrialClaims>> = {
  past: (time) => ({ iat: time - maxIatAge, exp: time + clockProbeObjectLife }),
  future: (time) => ({ iat: time, exp: time + maxExpAhead }),
};

/** Sends one request, which is denied afterwards if there is a driver. */
const isFreshAt: NonNullable<RunnableInterface['isFreshAt']> = async (time, edge, ctx) =>
  isAcceptedResponse(
    await tryRequest(`clock-${time}`, { ...edgeClaims[edge](time), expires_in: clockProbeRequestLife }, ctx),
  );

/** Server-initiated authorization, device-change events and SIM tenure (§9). Results and certificates call this edition 1.0. */
export const serverInitiated: RunnableInterface = {
  id: 'server-initiated',
  version: '1.0',
  clauses,
  areas,
  discovery,
  endpoints,
  actions,
  eventKinds,
  verbs: [authorize, look, sign, encrypt, handshake, usertrait, ...neutralVerbs({ actions, endpoints, eventKinds })],
  difference: differenceShape,
  validRequest: sendRequest,
  prepare: prepareRequest,
  narrowings,
  trials: [...registrationTrials, ...featureTrials, ...tokenTrials],
  isFreshAt,
  signingAlgorithms: [
    'request_object_signing_alg_values_supported',
    'backchannel_authentication_request_signing_alg_values_supported',
    'token_endpoint_auth_signing_alg_values_supported',
  ],
  requestEndpoint: 'server_initiated',
  keyEndpoints: ['event_jwks', 'jwks'],
  requestId: 'auth_req_id',
  refuses: ({ flags }) => (flags['server_initiated'] === true ? undefined : 'server_initiated is off'),
  mayBeUndeclared: undeclaredReason,
  mayBeUnregistered: unregisteredReason,
  checks: namedChecks,
  baseFiles: {
    'request-object': { file: 'base-request.yaml', shape: 'signed', required: true },
    'client-assertion': { file: 'base-client-assertion.yaml', shape: 'signed' },
    usertrait: { file: 'base-usertrait.yaml', shape: 'members' },
  },
  attributes: { known: [...usualAttributes, 'location'], usual: usualAttributes },
  scopes: interfaceScopes,
  messages,
  correlation,
  timing,
  allowedLimits,
  secretMembers,
  words: [...registeredErrors, ...launchScopes, ...usualAttributes, ...secretMembers],
  featureSigns,
  impliedFeatures,
  severalPending: 'several-pending',
  eventSubject: 'EVT-030',
  unknownEvents: { names: unknownEventNames, rules: { device_change: 'EVT-032' } },
  responseRule: 'TRN-016',
  targetRequirements,
  roles: clientRoles,
  refusalHints,
  cardFields,
};
