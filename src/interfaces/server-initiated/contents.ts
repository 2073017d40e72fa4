import type { Area } from '../../model/interface.ts';

/** The interface's own table of contents, as far as rules come from it. */
export const clauses: readonly (readonly [number: string, title: string])[] = [
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

/** The areas in the order of the interface; the baseline, of other standards, stands last. */
export const areas: readonly Area[] = [
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
