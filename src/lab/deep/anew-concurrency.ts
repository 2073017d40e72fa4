import { markDeep } from '../edit/fault-table.ts';

export const anewConcurrencyFaults = markDeep('concurrency', []);
