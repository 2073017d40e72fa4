import { fits, isText, isThere, number, type ObjectRule, orAbsent, row, whole } from './object-rule.ts';

/** OIDC Core §2 and §3.1.3.7, as the baseline has them. */
export const idTokenRules: readonly ObjectRule[] = [
  row('SEC-31', 'header.alg', 'a signature algorithm, not none', fits(/^(?!none$).+/)),
  row('SEC-31', 'claims.iss', "the carrier's issuer URL", fits(/^https?:\/\//)),
  row('SEC-31', 'claims.sub', 'the pairwise subscriber id, 1 to 255 characters', fits(/^[\x20-\x7e]{1,255}$/)),
  row('SEC-31', 'claims.aud', 'the client_id', (aud) => isText(aud) || (Array.isArray(aud) && aud.some(isText))),
  row(
    'SEC-31',
    'claims.azp',
    'the client_id, where aud names several',
    (azp, { claims }) => isText(azp) || !Array.isArray(claims['aud']) || claims['aud'].length < 2,
  ),
  row('SEC-31', 'claims.iat', 'a whole number of epoch seconds', whole),
  row('SEC-31', 'claims.exp', 'a number after iat', (exp, { claims }) => number(exp) > number(claims['iat'])),
  row(
    'SEC-31',
    'claims.acr',
    'text, where it is there',
    orAbsent((value) => typeof value === 'string'),
  ),
];

/** §5.5, RFC 7523 §3. */
export const clientAssertionRules: readonly ObjectRule[] = ['iss', 'sub', 'aud', 'exp'].map((name) =>
  row('TOK-001', `claims.${name}`, 'there: a client assertion names who signs, for whom and until when', isThere),
);

/** §5.8: of the proof the interface shows no more than that it proves possession. */
export const proofRules: readonly ObjectRule[] = [
  row('UT-007', 'header.alg', 'a signature algorithm, not none', fits(/^(?!none$).+/)),
];
