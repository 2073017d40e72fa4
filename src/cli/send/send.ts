import type { sendDefinition } from '../definitions/desk.ts';
import { deskCommand } from '../desk/desk.ts';
import type { Given } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { chooseRequest } from './request-of.ts';

/** `carrierspec send`: one request object, its response and, with --wait, its callback, held to the invariants. Gives the exit code. */
export const sendCommand = (flags: Given<typeof sendDefinition>, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseRequest);
