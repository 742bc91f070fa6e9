# docker buildx build --platform linux/amd64,linux/arm64 --tag registry.example.com/tocsin:0.1.0 .
# Base images are pinned by digest, of all platforms together; the tag says which line to renew them from. `scripts/pin-images.ts` prints
# this file with the digests of the day, which is what a release is built with.
# A test runs these steps and what they make, without a container engine: a new instruction needs a line there.

# The bundle is the same for every platform, so it is built once, on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:3638d9a6fe4030bd716be989438248074489337ba3275657f93595428be4fc03 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY sandbox sandbox
COPY config/license-keys.json config/
RUN node scripts/build.ts

# Node and the libraries it needs: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian12:nonroot@sha256:14d42e2511532589a7c7e01a753667a74fcc96266e137e8125006b87b0c32d0a
LABEL org.opencontainers.image.title="Tocsin"
LABEL org.opencontainers.image.description="Works out what broke in a Kubernetes cluster and why, and tells the people who can fix it"
LABEL org.opencontainers.image.version="0.1.0"
LABEL org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
# Owned by root: the process cannot change its own program.
COPY --from=build /build/dist/tocsin.mjs /build/dist/state-worker.mjs /build/dist/tocsin.mjs.LEGAL.txt /build/dist/THIRD-PARTY-NOTICES.txt /build/dist/sbom.cdx.json ./
COPY LICENSE NOTICE ./
# By number, so that a kubelet can see that it is not root.
USER 65532:65532
ENV NODE_ENV=production
# Why this and the two flags, and what they save: docs/contributing/performance.md.
ENV MALLOC_ARENA_MAX=1
EXPOSE 8060
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=8", "--expose-gc", "/app/tocsin.mjs"]
CMD ["run"]
