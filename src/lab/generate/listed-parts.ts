import type { JsonObject } from '../../lib/json.ts';
import type { PartValue, RequestPart } from '../requests/request-parts.ts';

type SharedProperties = Pick<PartValue, 'rule'> & Partial<PartValue>;

const listedPart = (
  id: string,
  values: Readonly<Record<string, JsonObject>>,
  shared: SharedProperties,
): RequestPart => ({
  id,
  values: Object.entries(values).map(([name, difference]) => ({ ...shared, name, difference })),
});

const wordOrders = [
  listedPart(
    'claims.prompt',
    {
      'prompt login consent': { claims: { prompt: 'login consent' } },
      'prompt consent login': { claims: { prompt: 'consent login' } },
    },
    { rule: 'REQ-094' },
  ),
  listedPart(
    'claims.options',
    {
      'options local_redirect dark light': { claims: { options: 'local_redirect dark light' } },
      'options light dark local_redirect': { claims: { options: 'light dark local_redirect' } },
    },
    { rule: 'REQ-050' },
  ),
];

/** Claims that §2.3 does not have are ignored (§9.5), but a carrier may know those of other standards. */
const unknownClaims = [
  listedPart(
    'unknown claims',
    {
      max_age: { claims: { max_age: 3600 } },
      code_challenge: {
        claims: {
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        },
      },
      display: { claims: { display: 'touch' } },
      ui_locales: { claims: { ui_locales: 'fr-CA en' } },
      response_mode: { claims: { response_mode: 'form_post' } },
      claims: { claims: { claims: { id_token: { email: null } } } },
      binding_message: { claims: { binding_message: 'W4SCT' } },
      requested_expiry: { claims: { requested_expiry: 30 } },
    },
    { rule: 'REQ-087', besideOnly: true },
  ),
  listedPart(
    'unknown claims',
    { 'x-claims': { claims: { x_list: [1, 'a', null], x_null: null, 'x-y.z': { deep: { deeper: true } } } } },
    { rule: 'REQ-087' },
  ),
];

/** Conforming values in addition to those of the listed cases. */
export const listedParts: readonly RequestPart[] = [...wordOrders, ...unknownClaims];
