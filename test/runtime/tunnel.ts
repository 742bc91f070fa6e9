import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/** Listens on loopback, at a port that is free. */
export async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** A proxy that leads tunnels for these hosts, at 443, to a port of loopback, and refuses all others. */
export async function tunnelTo(port: number, hosts: readonly string[]) {
  const proxy = createServer((_, response) => void response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => undefined);
    if (!hosts.some((host) => request.url === `${host}:443`)) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const upstream = connect({ port, host: '127.0.0.1' }, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return { proxy, proxyURL: `http://127.0.0.1:${await listen(proxy)}` };
}
