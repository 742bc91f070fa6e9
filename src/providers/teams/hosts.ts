import { type Ending, objectOf } from '../kit.ts';

/** Whether a host is one of Office 365 connectors; everything else is a flow. */
export function isConnector(host: string): boolean {
  return /(?:^|\.)webhook\.office\.com$|^outlook\.office\.com$|^outlook\.office365\.(?:com|us)$/.test(host);
}

/** When Microsoft took a kind of address down, and what to do; `undefined` for those that stay. Source: Teams, Workflows. */
export function endOf(host: string): Ending | undefined {
  if (isConnector(host))
    return {
      what: 'a connector of Office 365',
      day: '2026-05-22',
      instead: 'make a flow (Workflows) in Teams and use its address',
    };
  if (host.endsWith('.logic.azure.com'))
    return { what: 'a flow at logic.azure.com', day: '2025-11-30', instead: 'copy the new address of the flow' };
  return undefined;
}

/** The same of a block, where the address stands in it; one in a Secret is seen when it is used. */
export function endOfBlock({ webhook }: Readonly<Record<string, unknown>>): Ending | undefined {
  const address = objectOf(webhook)?.value;
  return typeof address === 'string' && URL.canParse(address) ? endOf(new URL(address).hostname) : undefined;
}

/** What explains a final failure at this host, if that does. */
export function endAdvice(host: string): string | undefined {
  const end = endOf(host);
  return end && `Microsoft ended such addresses on ${end.day}: ${end.instead}`;
}
