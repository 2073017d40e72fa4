import { ruleIds } from './define.ts';

/** Rules that begin with a plain request being accepted; all of them turn red where none is. */
export const everyAcceptance = ruleIds(`
  FLOW-001 TRN-001 TRN-004 TRN-009 TRN-011 TRN-014 TRN-016 HDR-001 HDR-002 HDR-004
  REQ-006 REQ-014 REQ-018 REQ-023 REQ-028 REQ-031 REQ-034 REQ-036 REQ-037 REQ-041 REQ-051 REQ-064
  REQ-069 REQ-071 REQ-073 REQ-081 REQ-082 REQ-086 REQ-087 REQ-088 REQ-089 REQ-090 REQ-091 REQ-092
  REQ-093
  CB-004 LHT-003
`);

/** As everyAcceptance, with those that need a request with options or with a referred_binding. */
export const anyAcceptance: readonly string[] = [...everyAcceptance, 'REQ-050', 'REQ-084'];

/** Rules on the error code of one refusal each. */
export const errorCodes = ruleIds(`
  CFG-001 ERR-002 ERR-005 FLOW-004 FLOW-008 HDR-008 LHT-009
  REQ-004 REQ-022 REQ-026 REQ-035 REQ-042 REQ-058 REQ-063 REQ-074 REQ-075 REQ-077
  SEC-44 TRN-002
`);

/** Rules on what comes after a request that was not approved. */
export const failures = ruleIds(`
  FLOW-003 FLOW-012 FLOW-013 FLOW-014 TRN-016 RSP-006 REQ-039 CB-015 CB-019
`);

/** Rules that need the key set at the address that discovery names. */
export const keySetUsers = ruleIds(`
  EVT-001 EVT-015 EVT-026 EVT-029 EVT-030 SEC-31 SEC-39
`);
