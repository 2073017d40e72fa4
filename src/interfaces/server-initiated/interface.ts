import type { CertifiedInterface } from '../../judge/check.ts';
import { actions } from '../../model/action.ts';
import { namedChecks } from './checks/table.ts';
import { areas, clauses } from './contents.ts';
import { discovery, endpoints, featureSigns } from './endpoints.ts';
import { cardFields, correlation, messages, secretMembers } from './messages.ts';
import { refusalHints, roles, targetRequirements } from './registration.ts';
import { timing } from './timing.ts';

/** Server-initiated authorization, device-change events and SIM tenure (spec: version 24, §9). */
export const serverInitiated: CertifiedInterface = {
  id: 'server-initiated',
  version: '24',
  title: 'Server-initiated authorization, device-change events and SIM tenure',
  clauses,
  areas,
  discovery,
  endpoints,
  messageKinds: [
    'response',
    'accepted',
    'refused',
    'callback',
    'tokens',
    'callback-error',
    'event',
    'userinfo',
    'usertrait',
    'token',
    'discovery',
    'jwks',
    'cancel',
    'run',
  ],
  actions,
  checks: namedChecks,
  baseFiles: {
    'request-object': 'base-request.yaml',
    'client-assertion': 'base-client-assertion.yaml',
    usertrait: 'base-usertrait.yaml',
  },
  proofFormats: ['taap', 'jwt', 'dpop'],
  messages,
  correlation,
  timing,
  secretMembers,
  featureSigns,
  targetRequirements,
  roles,
  refusalHints,
  cardFields,
};
