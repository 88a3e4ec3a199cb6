struct __align__(16) Particle {
  float3 place;
  int kind;
  double2 speed;
};
__global__ void move(Particle* p, float dt) {
  Particle mine = p[threadIdx.x];
  mine.place.x += dt * (float)mine.speed.x;
  mine.place.z -= dt * (float)mine.speed.y;
  mine.kind = sizeof(Particle) * 100 + __alignof__(Particle);
  p[threadIdx.x] = mine;
}
