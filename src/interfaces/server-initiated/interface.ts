import { neutralVerbs } from '../../engine/neutral-verbs.ts';
import type { RunnableInterface } from '../../engine/context/case-context.ts';
import { actions } from './actions.ts';
import { registeredErrors } from './checks/refusal.ts';
import { namedChecks } from './checks/table.ts';
import { areas, clauses } from './contents.ts';
import { discovery, endpoints, featureSigns, impliedFeatures } from './endpoints.ts';
import { eventKinds } from './event-kinds.ts';
import { cardFields, correlation, messages, secretMembers } from './messages.ts';
import {
  attributes,
  launchScopes,
  mayBeUndeclared,
  mayBeUnregistered,
  refusalHints,
  roles,
  targetRequirements,
} from './registration.ts';
import { timing } from './timing.ts';
import { isFreshAt } from './trials/dated.ts';
import { featureTrials } from './trials/features.ts';
import { registrationTrials } from './trials/registration.ts';
import { tokenTrials } from './trials/tokens.ts';
import { authorize, sendRequest } from './verbs/authorize.ts';
import { differenceShape } from './verbs/difference.ts';
import { handshake } from './verbs/handshake.ts';
import { encrypt } from './verbs/encrypt.ts';
import { look } from './verbs/look.ts';
import { prepareRequest } from './verbs/proof.ts';
import { sign } from './verbs/sign.ts';
import { usertrait } from './verbs/usertrait.ts';
import { allowedLimits } from './allowed.ts';

/** Server-initiated authorization, device-change events and SIM tenure (§9). Results and certificates call this edition of it 1.0. */
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
  mayBeUndeclared,
  mayBeUnregistered,
  checks: namedChecks,
  baseFiles: {
    'request-object': { file: 'base-request.yaml', shape: 'signed', required: true },
    'client-assertion': { file: 'base-client-assertion.yaml', shape: 'signed' },
    usertrait: { file: 'base-usertrait.yaml', shape: 'members' },
  },
  attributes: { known: [...attributes, 'location'], usual: attributes },
  messages,
  correlation,
  timing,
  allowedLimits,
  secretMembers,
  words: [...registeredErrors, ...launchScopes, ...attributes, ...secretMembers],
  featureSigns,
  impliedFeatures,
  severalPending: 'several-pending',
  targetRequirements,
  roles,
  refusalHints,
  cardFields,
};
