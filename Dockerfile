# docker buildx build --platform linux/amd64,linux/arm64 --tag registry.example.com/tocsin:0.1.0 .
# A test runs these steps and what they make, without a container engine: a new instruction needs a line there.

# The bundle is the same for every platform, so it is built once, on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.ts

# Node and the libraries it needs: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian12:nonroot
LABEL org.opencontainers.image.title="Tocsin"
LABEL org.opencontainers.image.description="Works out what broke in a Kubernetes cluster and why, and tells the people who can fix it"
LABEL org.opencontainers.image.version="0.1.0"
WORKDIR /app
# Owned by root: the process cannot change its own program.
COPY --from=build /build/dist/tocsin.mjs /build/dist/tocsin.mjs.LEGAL.txt ./
# By number, so that a kubelet can see that it is not root.
USER 65532:65532
ENV NODE_ENV=production
EXPOSE 8060
# Measured with the bundle and Pods of 7.5 KB. At 5,000 Pods: 225 MiB resident without flags, 133 with these (154 at most), for half
# as much processor time again while the first lists are read. At 20,000 Pods with these: 149 MiB (170 at most).
ENTRYPOINT ["/nodejs/bin/node", "--optimize-for-size", "--max-semi-space-size=2", "/app/tocsin.mjs"]
CMD ["run"]
