import { asText, type Json, words } from '../json.ts';
import { defineFaults, type Edit, type Fault } from './edit/define.ts';
import { alsoRefused } from './edit/requests.ts';

/** Refuses a value that the interface allows. */
const refusing = (claim: string, isRefused: (value: Json | undefined) => boolean, error = 'invalid_request'): Edit =>
  alsoRefused(`${claim}-as-this-carrier-likes`, ({ claims }) => isRefused(claims[claim]), error);

const has = (wanted: string) => (value: Json | undefined) => words(asText(value)).includes(wanted);
const is = (wanted: string) => (value: Json | undefined) => value === wanted;

/** What must be accepted is refused, one value each: §2.3. */
export const refusedValuesFaults: readonly Fault[] = defineFaults({
  'acr-a1-refused': ['Only a3 is offered, so a1 is an invalid request.', 'REQ-056', refusing('acr_values', is('a1'))],
  'acr-a1-put-off': [
    'a1 is put off for good: 400 and temporarily_unavailable (C8.17).',
    'REQ-056',
    refusing('acr_values', is('a1'), 'temporarily_unavailable'),
  ],
  'acr-a3-refused': ['Only a1 is offered, so a3 is an invalid request.', 'REQ-057', refusing('acr_values', is('a3'))],
  'prompt-consent-refused': ['prompt knows none and login only.', 'REQ-044', refusing('prompt', is('consent'))],
  'prompt-login-refused': ['prompt knows none and consent only.', 'REQ-045', refusing('prompt', is('login'))],
  'options-dark-refused': ['dark alone is no option.', 'REQ-050', refusing('options', is('dark'))],
  'state-over-255-refused': [
    'state may be as long as a column of the carrier’s table.',
    'REQ-039',
    refusing('state', (value) => asText(value).length > 255),
  ],
  'nonce-over-64-refused': [
    'nonce may be as long as a column of the carrier’s table.',
    'REQ-040',
    refusing('nonce', (value) => asText(value).length > 64),
  ],
  'scope-email-refused': [
    'email is no scope that an SP can ask for.',
    'REQ-037',
    refusing('scope', has('email'), 'invalid_scope'),
  ],
  'scope-events-refused': [
    'events is a flag of the registration, and no scope that a request can have.',
    'EVT-034',
    refusing('scope', has('events'), 'invalid_scope'),
  ],
});
