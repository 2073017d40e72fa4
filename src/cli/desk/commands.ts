// Together, since each is small and all need the same: what is loaded for one of them is there for all.
export { cancelCommand } from './cancel.ts';
export { discoverCommand } from './discover.ts';
export { eventsCommand } from './events.ts';
export { tenureCommand } from './tenure.ts';
export { tokenCommand } from './token.ts';
export { userinfoCommand } from './userinfo.ts';
